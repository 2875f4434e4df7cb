import Repositories
import RepositoriesTesting
import Testing
import TrackingCore
import TrackingTesting

@testable import RelatedItemsUseCase

@Suite("A use case with a fallback")
struct RelatedRepositoriesTests {
    /// The response of a source.
    enum Answer: CaseIterable, Sendable {
        case items, nothing, onlyItself, offline

        func script<Arguments>(_ member: AsyncDoubleMethod<Arguments, [Repository], RequestFailure>, _ item: Repository)
        {
            switch self {
            case .items: member.answers([.swift, item])
            case .nothing: member.answers([])
            case .onlyItself: member.answers([.swift])
            case .offline: member.fails(with: .offline)
            }
        }
    }

    let recorder: TrackingRecorder
    let source = RelatedSourceDouble()
    let related: RelatedRepositories

    init() throws {
        recorder = TrackingRecorder(validatingAgainst: try .ofExamples())
        related = RelatedRepositories(environment: .mock(recording: recorder), source: source)
    }

    @Test("every pair of responses gives its items and its event", arguments: Answer.allCases, Answer.allCases)
    func pairs(first: Answer, second: Answer) async throws {
        first.script(source.related, .flux)
        second.script(source.recommendedMethod, .vapor)
        let items = await related.run(for: .swift)
        let asked = try source.related.requireOnce()
        #expect(asked == .swift)

        switch (first, second) {
        case (.items, _):
            #expect(items == .related([.flux]))
            source.recommendedMethod.expectNever()
            recorder.expect(.relatedShown(.related, count: 1))
        case (_, .items):
            #expect(items == .recommendations([.vapor]))
            #expect(source.testDouble.calls == ["related(to:)", "recommended()"])
            recorder.expect(.relatedShown(.recommendations, count: 1))
        default:
            #expect(items == .none)
            source.recommendedMethod.expectOnce()
            recorder.expect(.relatedShown(.none, count: 0))
        }
    }

    @Test("keeps the order of the source, and counts all items")
    func order() async {
        source.related.answers([.vapor, .flux])
        #expect(await related.run(for: .swift) == .related([.vapor, .flux]))
        recorder.expect(.relatedShown(.related, count: 2))
    }

    @Test("shows a source again after it recovers")
    func recovery() async {
        source.related.fails(with: .unavailable).thenAnswers([.flux])
        source.recommendedMethod.answers([.vapor])
        #expect(await related.run(for: .swift) == .recommendations([.vapor]))
        #expect(await related.run(for: .swift) == .related([.flux]))
        recorder.expect(.relatedShown(.recommendations, count: 1), .relatedShown(.related, count: 1))
    }
}
