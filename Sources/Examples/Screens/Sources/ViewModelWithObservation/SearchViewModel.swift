internal import Observation
internal import Repositories
internal import TrackingCore
internal import TrackingDomainEvents

/// The search screen as a view model with Observation: inputs are methods, outputs are observable properties.
///
/// - Used by: teams with SwiftUI views, or UIKit views that observe; the view only reads.
/// - Where events fire: in the inputs, never in a view's body, which SwiftUI may run any number of times.
/// - What the tests assert: all states of the outputs, and what each input fires.
@MainActor
@Observable
final class SearchViewModel {
    /// The content of the screen.
    enum State: Equatable, Sendable {
        case empty
        case searching
        case found([Repository])
        case failed(RequestFailure)
    }

    /// The content of the screen.
    private(set) var state = State.empty
    /// The text in the search field.
    private(set) var text = ""
    /// Whether the search button is enabled.
    var canSearch: Bool { !text.isEmpty && state != .searching }

    @ObservationIgnored private var submitted = ""
    private let environment: AppEnvironment
    private let repositories: any RepositorySearch

    init(environment: AppEnvironment, repositories: any RepositorySearch) {
        self.environment = environment
        self.repositories = repositories
    }

    /// Call when the screen appeared: for the first time, again, or on return from a detail.
    func didAppear() { environment.tracking.send(.pageView(.repositorySearch)) }

    /// Call when the text in the search field changed.
    func textChanged(_ text: String) { self.text = text }

    /// Call when the search button was tapped. Returns when the response has arrived.
    func searchTapped() async {
        guard canSearch else { return }
        await search(for: text)
    }

    /// Call when the retry button, shown after a failure, was tapped. Repeats the request. Returns when the response
    /// has arrived.
    func retryTapped() async {
        guard case .failed = state else { return }
        await search(for: submitted)
    }

    /// Call when a row was tapped. Opens its repository.
    func rowTapped(_ row: Int) {
        guard case .found(let repositories) = state, repositories.indices.contains(row) else { return }
        environment.show(.detail(repositories[row]))
    }

    private func search(for query: String) async {
        submitted = query
        environment.tracking.send(.search(query: query, page: 1))
        state = .searching
        do {
            state = .found(try await repositories.repositories(matching: query))
        } catch {
            state = .failed(error)
        }
    }
}
