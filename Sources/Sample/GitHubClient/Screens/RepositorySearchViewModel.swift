internal import Primitives
internal import TrackingCore
internal import TrackingDomainEvents

/// The view model of the search screen: methods are inputs; it sends events and requests. Thread-safe.
public final class RepositorySearchViewModel: Sendable {
    /// The minimum time between two taps on a row, 300 ms. A second tap within this time is suppressed as a double tap.
    public static let minimumTapPause: Duration = .milliseconds(300)

    private struct State {
        var text: String?
        var submitted: (query: String, page: Int)?
        var lastTap: EventTime?
    }

    private let environment: GitHubEnvironment
    private let state = Locked(State())

    /// Creates the view model.
    public init(environment: GitHubEnvironment) { self.environment = environment }

    /// Call when the screen appeared: for the first time, again, or on return from a detail.
    public func viewDidAppear() { environment.tracking.send(.pageView(.repositorySearch)) }

    /// Call when the text in the search field changed. Nil and empty text can't be searched.
    public func searchTextChanged(_ text: String?) { state.withLock { $0.text = text } }

    /// Call when the button that suggests the user's city was tapped. Puts the city into the search field.
    ///
    /// - Returns: The new text; nil if the city is unknown, and the text stays.
    @discardableResult
    public func nearbyTapped(_ location: any LocationProvider) async -> String? {
        // The reason does not matter here: the user can type a text.
        guard let city = try? await location.city() else { return nil }
        searchTextChanged(city)
        return city
    }

    /// Call when the search button was tapped. Searches for the text, starting with page 1.
    public func searchButtonTapped() {
        let (text, hasSearched) = state.withLock { ($0.text, $0.submitted != nil) }
        guard let text, !text.isEmpty else { return }
        if hasSearched { environment.repository.actionCreator.clear() }
        submit(query: text, page: 1)
    }

    /// Call when the list was scrolled.
    ///
    /// - Parameter reachedBottom: Whether the end of the list is visible; if so, the next page is requested.
    public func listScrolled(reachedBottom: Bool) {
        let repositories = environment.repository.store.state
        guard reachedBottom, !repositories.isFetching, let page = repositories.pagination.next,
            let query = state.withLock({ $0.submitted?.query })
        else { return }
        submit(query: query, page: page)
    }

    /// Call when the retry button, shown after an error, was tapped. Requests the same page again.
    public func retryTapped() {
        let repositories = environment.repository.store.state
        // While a request is pending, there is no error.
        guard repositories.error != nil, let last = state.withLock({ $0.submitted }) else { return }
        submit(query: last.query, page: last.page)
    }

    /// Call when a row was tapped. Opens its repository.
    ///
    /// - Returns: Whether the repository was opened: false within ``minimumTapPause`` of the last tap, or past the
    ///   list's end.
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
