import Repositories
import RepositoriesTesting
import Testing
import TrackingCore
import TrackingTesting

@testable import FirstScreen

@MainActor
@Suite("A first screen with ten sources")
struct FirstScreenTests {
    typealias Section = FirstScreenSection

    let recorder: TrackingRecorder
    let source = SectionSourceDouble()
    let held = HeldAnswers<Section, [Repository]>()
    let screen: FirstScreenViewModel

    init() throws {
        recorder = TrackingRecorder(validatingAgainst: try .ofExamples())
        screen = FirstScreenViewModel(environment: .mock(recording: recorder), source: source)
    }

    /// The page view of a screen that shows all sections but these.
    func firstPage(without failed: Set<Section> = []) -> PageView {
        let shown = Section.allCases.filter { !failed.contains($0) }.map(\.rawValue)
        return .pageView(.firstPage(sections: shown.joined(separator: ",")))
    }

    /// Holds all requests until the test responds.
    func holdAnswers() {
        source.repositories.answers { [held] section throws(RequestFailure) in try await held.answer(to: section) }
    }

    @Test("if all sources respond, one page view lists all sections in order")
    func allAnswer() async {
        source.repositories.answers([.flux])
        screen.didAppear()
        recorder.expect()
        await screen.loading?.value
        #expect(screen.slots.map(\.section) == Section.allCases)
        #expect(screen.slots.allSatisfy { $0.content == .loaded([.flux]) })
        #expect(Set(source.repositories.calls) == Set(Section.allCases))
        recorder.expect(firstPage())
    }

    @Test("with two failures, the order of responses does not change the screen or the events", arguments: 0..<20)
    func anyOrder(turn: Int) async throws {
        holdAnswers()
        let loaded = ObservedValues { screen.slots.filter { $0.content != .loading }.map(\.section) }
        screen.didAppear()
        await held.requests(10)

        // Each response is shown immediately in its section, and fires nothing yet.
        let order = Self.order(turn)
        for (count, section) in order.enumerated() {
            let fails = section == .trending || section == .topics
            let load = screen.loading
            held.answer(section, with: fails ? .failure(.offline) : .success([.flux]))
            _ = await loaded.values { $0.count == count + 1 }
            if count < 9 { recorder.expect() } else { await load?.value }
        }
        #expect(
            loaded.values
                == (0...10).map { count in Section.allCases.filter { order.prefix(count).contains($0) } })
        for slot in screen.slots {
            let fails = slot.section == .trending || slot.section == .topics
            #expect(slot.content == (fails ? .failed(.offline) : .loaded([.flux])))
        }
        recorder.expect(
            firstPage(without: [.trending, .topics]), .sectionFailed(.trending, .offline),
            .sectionFailed(.topics, .offline))
    }

    /// All sections, in a different order each turn: forwards, backwards, then by steps that do not divide 11.
    private static func order(_ turn: Int) -> [Section] {
        let step = turn % 10 + 1
        let order = (1...10).map { Section.allCases[$0 * step % 11 - 1] }
        return turn < 10 ? order : order.reversed()
    }

    @Test("if all sources fail, the error screen fires; a successful retry fires the page view")
    func allFail() async throws {
        source.repositories.fails(with: .offline)
        screen.didAppear()
        await screen.loading?.value
        #expect(screen.hasFailed)
        recorder.expect(
            .pageView(.firstPageError), .sectionFailed(.continued, .offline), .sectionFailed(.following, .offline),
            .sectionFailed(.trending, .offline), .sectionFailed(.recommended, .offline),
            .sectionFailed(.nearby, .offline), .sectionFailed(.topics, .offline), .sectionFailed(.languages, .offline),
            .sectionFailed(.releases, .offline), .sectionFailed(.collections, .offline),
            .sectionFailed(.sponsored, .offline))

        source.repositories.answers([.flux])
        screen.retryTapped()
        #expect(!screen.hasFailed)
        await screen.loading?.value
        recorder.expect(firstPage())
    }

    @Test("a retry loads only the failed sections, and reports repeated failures again")
    func retry() async throws {
        source.repositories.answers([.flux])
        source.repositories.fails(with: .unavailable, where: { $0 == .nearby || $0 == .releases })
        screen.didAppear()
        await screen.loading?.value
        recorder.expect(
            firstPage(without: [.nearby, .releases]), .sectionFailed(.nearby, .unavailable),
            .sectionFailed(.releases, .unavailable))

        source.repositories.answers([.swift], where: { $0 == .nearby })
        screen.retryTapped()
        await screen.loading?.value
        #expect(Set(source.repositories.calls[10...]) == [.nearby, .releases])
        #expect(screen.slots.first { $0.section == .nearby }?.content == .loaded([.swift]))
        recorder.expect(.sectionFailed(.releases, .unavailable))
    }

    @Test("leaving cancels pending requests and fires nothing; loaded sections stay")
    func leaving() async throws {
        holdAnswers()
        let loaded = ObservedValues { screen.slots.filter { $0.content != .loading }.map(\.section) }
        screen.didAppear()
        await held.requests(10)
        held.answer(.topics, with: .success([.flux]))
        _ = await loaded.values { $0 == [.topics] }

        let load = screen.loading
        screen.didDisappear()
        try #require(held.cancelled == Set(Section.allCases).subtracting([.topics]))
        await load?.value
        #expect(loaded.values == [[], [.topics]])
        recorder.expect()

        // On return, only the missing sections are requested.
        source.repositories.answers([.swift])
        screen.didAppear()
        await screen.loading?.value
        #expect(Set(source.repositories.calls[10...]) == Set(Section.allCases).subtracting([.topics]))
        #expect(screen.slots.first { $0.section == .topics }?.content == .loaded([.flux]))
        recorder.expect(firstPage())
    }

    @Test("leaving during a retry and returning fires the page view when the response arrives")
    func leavingRetry() async {
        source.repositories.answers([.flux])
        source.repositories.fails(with: .offline, where: { $0 == .nearby })
        screen.didAppear()
        await screen.loading?.value
        recorder.expect(firstPage(without: [.nearby]), .sectionFailed(.nearby, .offline))

        source.repositories.answers(where: { $0 == .nearby }) { [held] section throws(RequestFailure) in
            try await held.answer(to: section)
        }
        screen.retryTapped()
        await held.requests(1)
        screen.didDisappear()
        source.repositories.answers([.swift], where: { $0 == .nearby })
        screen.didAppear()
        recorder.expect()
        await screen.loading?.value
        recorder.expect(firstPage())
    }

    @Test("returning to a loaded screen fires its page view immediately")
    func appearingAgain() async throws {
        source.repositories.answers([.flux])
        source.repositories.fails(with: .offline, where: { $0 == .sponsored })
        screen.didAppear()
        await screen.loading?.value
        recorder.expect(firstPage(without: [.sponsored]), .sectionFailed(.sponsored, .offline))
        screen.didDisappear()
        screen.didAppear()
        recorder.expect(firstPage(without: [.sponsored]))
        source.repositories.expectCount(10)
    }

    @Test("releasing a loading screen cancels its requests")
    func goingAway() async throws {
        holdAnswers()
        var other: FirstScreenViewModel? = FirstScreenViewModel(
            environment: .mock(recording: recorder), source: source)
        other?.didAppear()
        let load = other?.loading
        await held.requests(10)
        other = nil
        try #require(held.cancelled == Set(Section.allCases))
        await load?.value
        recorder.expect()
    }

    @Test("a failed section has its reason", arguments: [RequestFailure.offline, .unavailable, .cancelled])
    func reasons(reason: RequestFailure) async {
        source.repositories.answers([.flux])
        source.repositories.fails(with: reason, where: { $0 == .following })
        screen.didAppear()
        await screen.loading?.value
        recorder.expect(firstPage(without: [.following]), .sectionFailed(.following, reason))
    }
}
