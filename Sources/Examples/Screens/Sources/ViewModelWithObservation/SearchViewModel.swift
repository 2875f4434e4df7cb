internal import Observation
internal import Repositories
internal import TrackingCore
internal import TrackingDomainEvents

/// The search screen as a view model with Observation: inputs are methods, outputs are observable properties.
///
/// - Who builds so: teams whose views are SwiftUI, or UIKit that observes; the view only reads.
/// - Where events fire: in the inputs, never in a view's body, which runs as often as SwiftUI likes.
/// - What the test asserts: all states that the outputs went through, and what each input fired.
@MainActor
@Observable
final class SearchViewModel {
    /// What the screen shows.
    enum State: Equatable, Sendable {
        case empty
        case searching
        case found([Repository])
        case failed(RequestFailure)
    }

    /// What the screen shows.
    private(set) var state = State.empty
    /// What stands in the search field.
    private(set) var text = ""
    /// Whether the search button can be tapped.
    var canSearch: Bool { !text.isEmpty && state != .searching }

    @ObservationIgnored private var submitted = ""
    private let environment: AppEnvironment
    private let repositories: any RepositorySearch

    init(environment: AppEnvironment, repositories: any RepositorySearch) {
        self.environment = environment
        self.repositories = repositories
    }

    /// The screen appeared: first, again, or back from a detail.
    func didAppear() { environment.tracking.send(.pageView(.repositorySearch)) }

    /// The text in the search field changed.
    func textChanged(_ text: String) { self.text = text }

    /// The search button was tapped. Returns when the answer is there.
    func searchTapped() async {
        guard canSearch else { return }
        await search(for: text)
    }

    /// The retry button, shown after a failure, was tapped: asks for the same again. Returns when the answer is there.
    func retryTapped() async {
        guard case .failed = state else { return }
        await search(for: submitted)
    }

    /// A row was tapped: opens its repository.
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
