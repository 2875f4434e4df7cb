internal import Repositories
internal import TrackingCore

/// What stands below a repository's page.
enum RelatedItems: Equatable, Sendable {
    case related([Repository])
    case recommendations([Repository])
    /// Nothing: the page ends there.
    case none
}

/// What stands below a repository's page, as a use case with a fallback: related repositories, and if there are none, or
/// nobody answers, recommendations.
///
/// - Who builds so: teams with clean architecture; the fallback is a rule that no view model should know.
/// - Where events fire: in the use case, once for each run: the event names the source that the user sees, so that a
///   broken source shows in the numbers although no user sees an error.
/// - What the test asserts: every pair of answers, what is shown for it, what fires, and who is asked at all.
struct RelatedRepositories: Sendable {
    private let environment: AppEnvironment
    private let source: any RelatedSource

    init(environment: AppEnvironment, source: any RelatedSource) {
        self.environment = environment
        self.source = source
    }

    /// What to show below a repository's page. The repository itself is not among it.
    func run(for repository: Repository) async -> RelatedItems {
        let items = await items(for: repository)
        switch items {
        case .related(let all): environment.tracking.send(.relatedShown(.related, count: all.count))
        case .recommendations(let all): environment.tracking.send(.relatedShown(.recommendations, count: all.count))
        case .none: environment.tracking.send(.relatedShown(.none, count: 0))
        }
        return items
    }

    private func items(for repository: Repository) async -> RelatedItems {
        // Why there is no answer changes nothing here: the next source is asked, and the event tells which one it was.
        let related = (try? await source.related(to: repository))?.filter { $0 != repository } ?? []
        if !related.isEmpty { return .related(related) }
        let recommended = (try? await source.recommended())?.filter { $0 != repository } ?? []
        return recommended.isEmpty ? .none : .recommendations(recommended)
    }
}
