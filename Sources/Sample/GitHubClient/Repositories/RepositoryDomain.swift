public import TrackingCore

/// A repository, as far as the app shows it, in the shape of the GitHub REST API.
public struct Repository: Codable, Equatable, Sendable {
    /// GitHub's number of it.
    public let id: Int64
    /// Its name without the owner.
    public let name: String
    /// The address of its page.
    public let htmlURL: String

    /// Makes a repository.
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

/// What happened to repositories.
public enum RepositoryAction: Encodable, Equatable, Sendable {
    /// A request was sent.
    case fetching
    /// A page of a search was answered.
    case results([Repository], Pagination)
    /// A single repository was answered.
    case found(Repository)
    /// A search failed.
    case failed(String)
    /// A single repository could not be loaded, and why.
    case notLoaded(id: Int64, String)
    /// A new search starts from nothing.
    case clearAll
}

/// What the app knows of repositories.
public struct RepositoryState: Encodable, Equatable, Sendable {
    /// The results of the current search, page by page.
    public var repositories: [Repository] = []
    /// Where the last page stands among the others.
    public var pagination = Pagination()
    /// Whether a search is under way.
    public var isFetching = false
    /// Why the last search failed; nil if it did not.
    public var error: String?
    /// Repositories that were asked for one by one.
    public var found: [Int64: Repository] = [:]
    /// Why repositories that were asked for one by one could not be loaded.
    public var notLoaded: [Int64: String] = [:]
    /// How often the list was cleared.
    public var clearCount = 0

    /// The next page of the current search; nil before the first answer and after the last page.
    public var nextPage: Int? { pagination.next }

    /// Makes the state before the first search.
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
            // A search may be under way, or may have failed: this changes neither.
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

/// The sample app's own triple.
public typealias RepositoryDomain = FluxDomain<RepositoryActionCreator, RepositoryState>
