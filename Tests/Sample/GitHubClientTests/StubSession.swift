import Foundation
import Primitives
import TrackingTesting

@testable import GitHubClient

/// Holds each request until the test answers it.
final class StubSession: Sendable {
    let double = HTTPSessionDouble()
    private let answered = Locked(0)

    /// All requested URLs, in order.
    var urls: [String] { double.get.calls.map(\.url) }

    /// Answers the oldest open request with a page.
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
        let requests = double.get.calls
        let next = answered.withLock { answered in
            guard answered < requests.count else { return requests.count }
            answered += 1
            return answered - 1
        }
        if next < requests.count { requests[next].completion(result) }
    }
}
