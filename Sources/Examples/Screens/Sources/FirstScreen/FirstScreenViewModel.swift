internal import Observation
internal import Repositories
internal import TrackingCore

/// The first screen, with ten sections from ten concurrent sources, any of which may fail.
///
/// - Used by: apps with a home screen.
/// - Where events fire: when the last response has arrived, in the order of the screen. Firing as responses arrive
///   would give a different order each time.
/// - What the tests assert: the same screen and events for any order of responses; failures stay in their section; a
///   screen that is left fires nothing.
@MainActor
@Observable
final class FirstScreenViewModel {
    /// The content of a section.
    enum Content: Equatable, Sendable {
        case loading
        case loaded([Repository])
        /// A retry button.
        case failed(RequestFailure)
    }

    /// A section and its content.
    struct Slot: Equatable, Sendable {
        let section: FirstScreenSection
        let content: Content
    }

    /// The sections, in the order of the screen.
    var slots: [Slot] {
        FirstScreenSection.allCases.map { Slot(section: $0, content: contents[$0, default: .loading]) }
    }
    /// Whether all sections have failed: then the error screen replaces them.
    var hasFailed: Bool { slots.allSatisfy { if case .failed = $0.content { true } else { false } } }
    /// Loads missing sections; nil if nothing is loading. Tests wait for its end.
    @ObservationIgnored private(set) var loading: Task<Void, Never>?

    private var contents: [FirstScreenSection: Content] = [:]
    /// The page of the last page view; nil if none was sent since the screen appeared.
    @ObservationIgnored private var viewedPage: String?
    private let environment: AppEnvironment
    private let source: any SectionSource

    init(environment: AppEnvironment, source: any SectionSource) {
        self.environment = environment
        self.source = source
    }

    deinit { loading?.cancel() }

    /// Call when the screen appeared. Loads missing sections; the page view is sent afterwards.
    func didAppear() {
        viewedPage = nil
        load()
        if loading == nil { sendPageView() }
    }

    /// Call when the screen disappeared. Cancels pending requests; nothing fires.
    func didDisappear() {
        loading?.cancel()
        loading = nil
    }

    /// Call when the retry button of a section or of the error screen was tapped. Loads all failed sections again.
    /// Sends another page view only if the page changes.
    func retryTapped() {
        guard loading == nil else { return }
        contents = contents.filter { if case .failed = $0.value { false } else { true } }
        load()
    }

    private func load() {
        let missing = FirstScreenSection.allCases.filter { contents[$0] == nil }
        guard loading == nil, !missing.isEmpty else { return }
        loading = Task { [weak self, source] in
            await withTaskGroup(of: Slot.self) { group in
                for section in missing { group.addTask { await Self.slot(of: section, from: source) } }
                for await slot in group where !Task.isCancelled { self?.contents[slot.section] = slot.content }
            }
            if !Task.isCancelled { self?.didLoad(missing) }
        }
    }

    private nonisolated static func slot(of section: FirstScreenSection, from source: any SectionSource) async -> Slot {
        do {
            return Slot(section: section, content: .loaded(try await source.repositories(of: section)))
        } catch {
            return Slot(section: section, content: .failed(error))
        }
    }

    private func didLoad(_ sections: [FirstScreenSection]) {
        loading = nil
        if viewedPage != page.name { sendPageView() }
        for slot in slots where sections.contains(slot.section) {
            if case .failed(let reason) = slot.content {
                environment.tracking.send(.sectionFailed(slot.section, reason))
            }
        }
    }

    private var page: Page {
        guard !hasFailed else { return .firstPageError }
        let shown = slots.compactMap { if case .loaded = $0.content { $0.section.rawValue } else { nil } }
        return .firstPage(sections: shown.joined(separator: ","))
    }

    private func sendPageView() {
        let page = page
        viewedPage = page.name
        environment.tracking.send(.pageView(page))
    }
}
