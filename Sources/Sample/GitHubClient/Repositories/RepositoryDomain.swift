public import TrackingCore

/// A repository, with the members of the GitHub REST API that the app shows.
public struct Repository: Codable, Equatable, Sendable {
    /// The repository's number on GitHub.
    public let id: Int64
    /// The name without the owner.
    public let name: String
    /// The URL of the repository's page.
    public let htmlURL: String

    /// Creates a repository.
    public init(id: Int64, name: String, htmlURL: String) {
        self.id = id
        self.name = name
        self.htmlURL = htmlURL
    }

    private enum CodingKeys: String, CodingKey {
        case id, name
        case htmlURL = "html_url"
    }
}

/// An action on repositories.
public enum RepositoryAction: Encodable, Equatable, Sendable {
    /// A request was sent.
    case fetching
    /// A page of a search arrived.
    case results([Repository], Pagination)
    /// A single repository arrived.
    case found(Repository)
    /// A search failed.
    case failed(String)
    /// A single repository could not be loaded, and why.
    case notLoaded(id: Int64, String)
    /// A new search starts with an empty list.
    case clearAll
}

/// The state of the repositories.
public struct RepositoryState: Encodable, Equatable, Sendable {
    /// The results of the current search, page by page.
    public var repositories: [Repository] = []
    /// The position of the last page.
    public var pagination = Pagination()
    /// Whether a search is pending.
    public var isFetching = false
    /// Why the last search failed; nil if it succeeded.
    public var error: String?
    /// Repositories that were loaded individually.
    public var found: [Int64: Repository] = [:]
    /// Why individually loaded repositories failed to load.
    public var notLoaded: [Int64: String] = [:]
    /// How often the list was cleared.
    public var clearCount = 0

    /// The next page of the current search; nil before the first response and after the last page.
    public var nextPage: Int? { pagination.next }

    /// Creates the state before the first search.
    public init() {}

    static func reduce(_ state: inout RepositoryState, _ action: RepositoryAction) {
        switch action {
        case .fetching:
            state.isFetching = true
            state.error = nil
        case .results(let repositories, let pagination):
            state.repositories += repositories
            state.pagination = pagination
            state.isFetching = false
        case .found(let repository):
            state.found[repository.id] = repository
            state.notLoaded[repository.id] = nil
        case .failed(let reason):
            state.error = reason
            state.isFetching = false
        case .notLoaded(let id, let reason):
            // A search may be pending or may have failed; this action changes neither.
            state.notLoaded[id] = reason
        case .clearAll:
            state.repositories = []
            state.pagination = Pagination()
            state.isFetching = false
            state.error = nil
            state.clearCount += 1
        }
    }
}

/// The app's own Flux triple.
public typealias RepositoryDomain = FluxDomain<RepositoryActionCreator, RepositoryState>
