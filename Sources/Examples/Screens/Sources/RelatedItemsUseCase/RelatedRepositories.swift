internal import Repositories
internal import TrackingCore

/// The content below a repository's page.
enum RelatedItems: Equatable, Sendable {
    case related([Repository])
    case recommendations([Repository])
    /// No content: the page ends there.
    case none
}

/// Decides the content below a repository's page: a use case with a fallback. It shows related repositories; if there
/// are none or the request fails, it shows recommendations.
///
/// - Used by: teams with clean architecture; the fallback is a rule that does not belong to a view model.
/// - Where events fire: in the use case, once per run. The event names the source that the user sees, so the numbers
///   show a broken source although no user sees an error.
/// - What the tests assert: for every pair of responses, the content, the event, and which sources are requested.
struct RelatedRepositories: Sendable {
    private let environment: AppEnvironment
    private let source: any RelatedSource

    init(environment: AppEnvironment, source: any RelatedSource) {
        self.environment = environment
        self.source = source
    }

    /// Returns the content for a repository's page, without the repository itself.
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
        // The reason of a failure does not matter: the next source is requested, and the event names the source.
        let related = (try? await source.related(to: repository))?.filter { $0 != repository } ?? []
        if !related.isEmpty { return .related(related) }
        // Without recommendations there is nothing to show; the reason is lost.
        let recommended = (try? await source.recommended())?.filter { $0 != repository } ?? []
        return recommended.isEmpty ? .none : .recommendations(recommended)
    }
}
