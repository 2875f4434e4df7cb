import Foundation
import Synchronization

@testable import GitHubClient

/// Holds each request until the test answers it.
final class StubSession: HTTPSession {
    private struct Pending {
        let url: String
        let completion: @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
    }

    private let state = Mutex((urls: [String](), pending: [Pending]()))

    /// Every URL that was asked for, in order.
    var urls: [String] { state.withLock { $0.urls } }

    func get(_ url: String, completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void) {
        state.withLock { state in
            state.urls.append(url)
            state.pending.append(Pending(url: url, completion: completion))
        }
    }

    /// Answers the oldest open request.
    func answer(_ repositories: [Repository], link: String? = nil) throws {
        let items = try repositories.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let body = #"{"items":[\#(items.joined(separator: ","))]}"#
        respond(.success(HTTPResponse(status: 200, link: link, body: Array(body.utf8))))
    }

    /// Answers the oldest open request with one repository.
    func answer(_ repository: Repository) throws {
        respond(.success(HTTPResponse(status: 200, link: nil, body: Array(try JSONEncoder().encode(repository)))))
    }

    /// Fails the oldest open request.
    func fail() { respond(.failure(HTTPFailure(reason: "the connection was lost"))) }

    func respond(_ result: Result<HTTPResponse, HTTPFailure>) {
        let next = state.withLock { $0.pending.isEmpty ? nil : $0.pending.removeFirst() }
        next?.completion(result)
    }
}
