// tracking:double
/// The app's way to the network, handed in so that tests and replays answer for it.
public protocol HTTPSession: Sendable {
    /// Sends a GET request.
    ///
    /// - Parameters:
    ///   - url: An absolute URL.
    ///   - completion: Called exactly once, on any thread, before or after this returns.
    func get(_ url: String, completion: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void)
}

/// An answer.
public struct HTTPResponse: Equatable, Sendable {
    /// The status code.
    public let status: Int
    /// The value of the header `Link`; nil if there is none.
    public let link: String?
    /// The content.
    public let body: [UInt8]

    /// Makes an answer.
    public init(status: Int, link: String?, body: [UInt8]) {
        self.status = status
        self.link = link
        self.body = body
    }
}

/// No answer.
public struct HTTPFailure: Error, Equatable, Sendable {
    /// Why, for people.
    public let reason: String

    /// Makes a failure.
    public init(reason: String) { self.reason = reason }
}
