internal import Primitives
internal import TrackingCore
internal import TrackingDomainEvents

/// The search screen without a screen: inputs come in as calls, events and requests go out. Any thread.
public final class RepositorySearchViewModel: Sendable {
    /// A second tap on a row within this time is a slip of the finger: 300 ms.
    public static let minimumTapPause: Duration = .milliseconds(300)

    private struct State {
        var text: String?
        var submitted: (query: String, page: Int)?
        var lastTap: EventTime?
    }

    private let environment: GitHubEnvironment
    private let state = Locked(State())

    /// Makes the view model.
    public init(environment: GitHubEnvironment) { self.environment = environment }

    /// The screen appeared: first, again, or back from a detail.
    public func viewDidAppear() { environment.tracking.send(.pageView(.repositorySearch)) }

    /// The text in the search field changed; nil and empty mean nothing to search for.
    public func searchTextChanged(_ text: String?) { state.withLock { $0.text = text } }

    /// The button that suggests the user's city was tapped: puts it into the search field.
    ///
    /// - Returns: The new text; nil if nobody knows the city, and the text stays.
    @discardableResult
    public func nearbyTapped(_ location: any LocationProvider) async -> String? {
        // Why the city is not known changes nothing here: the user types on.
        guard let city = try? await location.city() else { return nil }
        searchTextChanged(city)
        return city
    }

    /// The search button was tapped: searches for the text from its first page on.
    public func searchButtonTapped() {
        let (text, hasSearched) = state.withLock { ($0.text, $0.submitted != nil) }
        guard let text, !text.isEmpty else { return }
        if hasSearched { environment.repository.actionCreator.clear() }
        submit(query: text, page: 1)
    }

    /// The list was scrolled.
    ///
    /// - Parameter reachedBottom: Whether its end is visible now; then the next page is asked for.
    public func listScrolled(reachedBottom: Bool) {
        let repositories = environment.repository.store.state
        guard reachedBottom, !repositories.isFetching, let page = repositories.pagination.next,
            let query = state.withLock({ $0.submitted?.query })
        else { return }
        submit(query: query, page: page)
    }

    /// The retry button, shown after an error, was tapped: asks for the same page again.
    public func retryTapped() {
        let repositories = environment.repository.store.state
        // There is no error while a request is under way.
        guard repositories.error != nil, let last = state.withLock({ $0.submitted }) else { return }
        submit(query: last.query, page: last.page)
    }

    /// A row was tapped: opens its repository.
    ///
    /// - Returns: Whether it did: not within ``minimumTapPause`` of the last tap, nor past the list's end.
    @discardableResult
    public func rowSelected(_ row: Int) -> Bool {
        let now = environment.clock.now
        let isSlip = state.withLock { state in
            if let last = state.lastTap, now.duration(since: last) < Self.minimumTapPause { return true }
            state.lastTap = now
            return false
        }
        let repositories = environment.repository.store.state.repositories
        guard !isSlip, repositories.indices.contains(row) else { return false }
        environment.show(.repositoryDetail(repositories[row]))
        return true
    }

    private func submit(query: String, page: Int) {
        state.withLock { $0.submitted = (query, page) }
        environment.tracking.send(.search(query: query, page: page))
        environment.repository.actionCreator.search(query: query, page: page)
    }
}
