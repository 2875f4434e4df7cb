internal import Observation
internal import Repositories
internal import TrackingCore

/// The first screen, whose ten sections come from ten sources at the same time, some of which may fail.
///
/// - Who builds so: everybody with a home screen.
/// - Where events fire: when the last answer is there, in the order of the screen; never as answers come, because that
///   order is another one each time.
/// - What the test asserts: the same screen and the same events, whichever order the answers come in; that failures stay
///   in their section; that a screen which is left fires nothing.
@MainActor
@Observable
final class FirstScreenViewModel {
    /// What a section shows.
    enum Content: Equatable, Sendable {
        case loading
        case loaded([Repository])
        /// A button to try again.
        case failed(RequestFailure)
    }

    /// A section, and what it shows.
    struct Slot: Equatable, Sendable {
        let section: FirstScreenSection
        let content: Content
    }

    /// The sections, in the order of the screen.
    var slots: [Slot] {
        FirstScreenSection.allCases.map { Slot(section: $0, content: contents[$0, default: .loading]) }
    }
    /// Whether all sections have failed: then the error screen stands for them.
    var hasFailed: Bool { slots.allSatisfy { if case .failed = $0.content { true } else { false } } }
    /// Loads what is missing; nil if nothing is under way. A test waits for its end.
    @ObservationIgnored private(set) var loading: Task<Void, Never>?

    private var contents: [FirstScreenSection: Content] = [:]
    /// The page that the last page view named; nil if the screen's appearance has none yet.
    @ObservationIgnored private var viewedPage: String?
    private let environment: AppEnvironment
    private let source: any SectionSource

    init(environment: AppEnvironment, source: any SectionSource) {
        self.environment = environment
        self.source = source
    }

    deinit { loading?.cancel() }

    /// The screen appeared: loads what is not there yet. Its page view waits for that.
    func didAppear() {
        viewedPage = nil
        load()
        if loading == nil { sendPageView() }
    }

    /// The screen went away: what is still under way is cancelled, and fires nothing.
    func didDisappear() {
        loading?.cancel()
        loading = nil
    }

    /// The retry button of a section, or of the error screen, was tapped: loads all that failed. The page view is sent again
    /// only if that makes it another page.
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
