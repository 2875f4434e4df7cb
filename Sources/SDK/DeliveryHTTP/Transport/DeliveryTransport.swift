public import Foundation

/// Sends one HTTP request and returns its response.
///
/// ``system(allowsCellularAccess:allowsConstrainedNetworkAccess:)`` suits almost every app. Write your own to send requests through another HTTP client.
///
/// A transport keeps these rules, which the delivery relies on:
///
/// - It sends the fields and the body of the request as they are. What a client adds by itself, such as `Host`, `Content-Length` and
///   `Accept-Encoding`, may come with them.
/// - It returns any response as it is: it follows no redirection, answers no challenge, and stores no cookie.
/// - It throws ``DeliveryTransportError`` unless it has read the whole response.
/// - When its task is cancelled, it throws ``DeliveryTransportError/Code/cancelled`` without delay, and ends the request.
public protocol DeliveryTransport: Sendable {
    /// Sends a request.
    ///
    /// - Returns: The response, with any status.
    /// - Throws: ``DeliveryTransportError``.
    func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse
}

/// A field of a request's or a response's header.
public struct DeliveryField: Hashable, Sendable {
    /// Compared without regard to case.
    public let name: String
    /// Without white space around it.
    public let value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A `POST` with a body, or a `GET`.
public struct DeliveryRequest: Sendable {
    /// The methods that are used.
    public enum Method: String, Sendable {
        /// Reads from a server. Only tools send it; an app's sink never does.
        case get = "GET"
        /// Delivers events.
        case post = "POST"
    }

    /// The method, in upper case as its raw value.
    public let method: Method
    /// `https`; `http` for a loopback address.
    public let url: URL
    /// No name comes twice. `Authorization` is among them.
    public let fields: [DeliveryField]
    /// The bytes on the wire; empty for a `GET`.
    public let body: [UInt8]
    /// How long connecting may take, and how long the exchange may make no progress. Waiting for a network does not count.
    public let timeout: Duration
    /// A longer response body ends the request with ``DeliveryTransportError/Code/tooLarge``, unless ``cutsResponse`` is set.
    public let maximumResponseBytes: Int
    /// Whether a longer response body ends the request well, with the body up to there. Only tools set it; an app's sink needs
    /// every byte.
    public let cutsResponse: Bool
    /// A longer response header, or one with more than 200 fields, ends the request with
    /// ``DeliveryTransportError/Code/tooLarge``.
    public static let maximumHeaderBytes = 64 << 10
    static let maximumFieldCount = 200

    /// Makes a request of its parts.
    public init(
        method: Method = .post, url: URL, fields: [DeliveryField], body: [UInt8] = [], timeout: Duration,
        maximumResponseBytes: Int, cutsResponse: Bool = false
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeout = timeout
        self.maximumResponseBytes = maximumResponseBytes
        self.cutsResponse = cutsResponse
    }
}

extension DeliveryRequest: CustomStringConvertible, CustomReflectable {
    /// The sizes, without the key and the events.
    public var description: String { "\(method.rawValue) with \(fields.count) fields and \(body.count) bytes" }

    /// Without the key and the events.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "fieldCount": fields.count, "bodyCount": body.count])
    }
}

/// What a server answered.
public struct DeliveryResponse: Sendable {
    /// The status, 200 to 599 as a rule.
    public let status: Int
    /// In the order of the response.
    public let fields: [DeliveryField]
    /// The bytes after the header.
    public let body: [UInt8]

    /// Makes a response of its parts.
    public init(status: Int, fields: [DeliveryField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The value of the first field with a name, in any case.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }
}
