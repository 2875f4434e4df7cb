internal import Foundation
internal import Primitives
public import TrackingCore

/// Requests repositories and dispatches the results. Thread-safe.
public final class RepositoryActionCreator: ActionCreator {
    /// The number of results per page.
    public static let pageSize = 20

    public let dispatcher: FluxDispatcher<RepositoryAction>
    private let session: any HTTPSession
    /// Counts searches, to discard the responses to earlier ones.
    private let current = Locked(0)

    init(dispatcher: FluxDispatcher<RepositoryAction>, session: any HTTPSession) {
        self.dispatcher = dispatcher
        self.session = session
    }

    /// Requests a page of a search.
    public func search(query: String, page: Int) {
        let search = current.withLock { current in
            current += 1
            return current
        }
        dispatcher.dispatch(.fetching)
        session.get(Self.searchURL(query: query, page: page)) { [self] result in
            guard current.withLock({ $0 == search }) else { return }
            dispatcher.dispatch(Self.searchAction(result))
        }
    }

    /// Requests a single repository.
    public func load(id: Int64) {
        session.get("https://api.github.com/repositories/\(id)") { [dispatcher] result in
            switch Self.decode(Repository.self, result) {
            case .success(let (repository, _)): dispatcher.dispatch(.found(repository))
            case .failure(let failure): dispatcher.dispatch(.notLoaded(id: id, failure.reason))
            }
        }
    }

    /// Clears the results, and discards a pending response.
    public func clear() {
        current.withLock { $0 += 1 }
        dispatcher.dispatch(.clearAll)
    }

    static func searchURL(query: String, page: Int) -> String {
        var components = URLComponents()
        components.scheme = "https"
        components.host = "api.github.com"
        components.path = "/search/repositories"
        components.queryItems = [
            URLQueryItem(name: "q", value: query), URLQueryItem(name: "page", value: String(page)),
            URLQueryItem(name: "per_page", value: String(pageSize)),
        ]
        return components.string ?? ""
    }

    private struct SearchAnswer: Decodable {
        let items: [Repository]
    }

    private static func searchAction(_ result: Result<HTTPResponse, HTTPFailure>) -> RepositoryAction {
        switch decode(SearchAnswer.self, result) {
        case .success(let (answer, link)): .results(answer.items, Pagination(linkHeader: link ?? ""))
        case .failure(let failure): .failed(failure.reason)
        }
    }

    private static func decode<T: Decodable>(
        _ type: T.Type, _ result: Result<HTTPResponse, HTTPFailure>
    ) -> Result<(T, link: String?), HTTPFailure> {
        result.flatMap { response in
            guard response.status == 200 else {
                return .failure(HTTPFailure(reason: "the server responded with status \(response.status)"))
            }
            do {
                return .success((try JSONDecoder().decode(type, from: Data(response.body)), response.link))
            } catch {
                return .failure(HTTPFailure(reason: "the server sent an unexpected response"))
            }
        }
    }
}
