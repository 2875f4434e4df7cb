// tracking:double
/// The app's access to the network, a dependency that tests and replays replace.
public protocol HTTPSession: Sendable {
    /// Sends a GET request.
    ///
    /// - Parameters:
    ///   - url: An absolute URL.
    ///   - completion: Called exactly once, on any thread, before or after this returns.
    func get(_ url: String, completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void)
}

/// A response.
public struct HTTPResponse: Equatable, Sendable {
    /// The status code.
    public let status: Int
    /// The value of the header `Link`; nil if absent.
    public let link: String?
    /// The body.
    public let body: [UInt8]

    /// Creates a response.
    public init(status: Int, link: String?, body: [UInt8]) {
        self.status = status
        self.link = link
        self.body = body
    }
}

/// The error if no response arrived.
public struct HTTPFailure: Error, Equatable, Sendable {
    /// The reason, as text for people.
    public let reason: String

    /// Creates a failure.
    public init(reason: String) { self.reason = reason }
}
