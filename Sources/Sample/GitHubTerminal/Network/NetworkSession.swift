internal import Foundation
package import GitHubClient

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The GitHub REST API, or a compatible server, over HTTP.
package final class NetworkSession: HTTPSession {
    /// The timeout of a request, in seconds.
    private static let timeout: TimeInterval = 30

    private let server: URLComponents
    private let session: URLSession

    /// Creates a session without sending anything.
    ///
    /// - Parameter server: The address to use instead of `https://api.github.com`, such as `http://127.0.0.1:8080`. The
    ///   initializer returns nil if this is not the address of a server.
    package init?(server: String) {
        guard let components = URLComponents(string: server), ["http", "https"].contains(components.scheme),
            components.host?.isEmpty == false, components.query == nil, components.fragment == nil
        else { return nil }
        self.server = components
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = Self.timeout
        configuration.timeoutIntervalForResource = Self.timeout
        // GitHub rejects requests without a user agent: https://docs.github.com/rest/using-the-rest-api
        configuration.httpAdditionalHeaders = [
            "Accept": "application/vnd.github+json", "User-Agent": "GitHubClient/1.0",
        ]
        session = URLSession(configuration: configuration)
    }

    package func get(_ url: String, completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void) {
        guard let address = address(of: url) else {
            return completion(.failure(HTTPFailure(reason: "the address of the server is invalid")))
        }
        session.dataTask(with: address) { data, response, error in
            completion(Self.result(data: data, response: response as? HTTPURLResponse, error: error))
        }.resume()
    }

    /// The URL with the same path and query on the server.
    private func address(of url: String) -> URL? {
        guard var components = URLComponents(string: url) else { return nil }
        components.scheme = server.scheme
        components.host = server.host
        components.port = server.port
        let folder =
            server.percentEncodedPath.hasSuffix("/")
            ? server.percentEncodedPath.dropLast() : server.percentEncodedPath[...]
        components.percentEncodedPath = folder + components.percentEncodedPath
        return components.url
    }

    private static func result(
        data: Data?, response: HTTPURLResponse?, error: (any Error)?
    ) -> Result<HTTPResponse, HTTPFailure> {
        guard error == nil, let response else {
            let reason =
                switch (error as? URLError)?.code {
                case .timedOut?: "the server did not respond in time"
                case .cannotConnectToHost?, .cannotFindHost?, .notConnectedToInternet?: "the server cannot be reached"
                default: "the connection was lost"
                }
            return .failure(HTTPFailure(reason: reason))
        }
        return .success(
            HTTPResponse(
                status: response.statusCode, link: response.value(forHTTPHeaderField: "Link"),
                body: [UInt8](data ?? Data())))
    }
}
