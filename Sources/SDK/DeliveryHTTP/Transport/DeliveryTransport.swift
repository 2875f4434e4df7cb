public import Foundation

/// Sends one HTTP request and returns its response.
///
/// ``SystemDeliveryTransport`` suits almost every app. Implement your own to use another HTTP client.
///
/// A transport must follow these rules:
///
/// - Send the fields and the body of the request unchanged. Fields that an HTTP client adds itself are allowed, such as
///   `Host`, `Content-Length` and `Accept-Encoding`.
/// - Return any response unchanged: follow no redirect, answer no challenge, store no cookie.
/// - Throw ``DeliveryTransportError`` unless the whole response was read.
/// - When the task is canceled, throw ``DeliveryTransportError/Code/cancelled`` without delay, and end the request.
/// - Send nothing once ``DeliveryRequest/mayContinue`` returns false: call it immediately before the body, and during a
///   long upload at least every 100 ms. Then reset the connection, and throw ``DeliveryTransportError/Code/denied``. If
///   the whole body has left the device, read the response as always.
public protocol DeliveryTransport: Sendable {
    /// Sends a request.
    ///
    /// - Returns: The response, with any status.
    /// - Throws: ``DeliveryTransportError``.
    func send(_ request: DeliveryRequest) async throws(DeliveryTransportError) -> DeliveryResponse

    /// Whether the transport calls ``DeliveryRequest/noteAcknowledged`` as soon as it sends a body. Default false.
    var reportsProgress: Bool { get }
}

extension DeliveryTransport {
    public var reportsProgress: Bool { false }
}

/// A field of a request's or a response's header.
public struct DeliveryField: Hashable, Sendable {
    /// The name. Compared case-insensitively.
    public let name: String
    /// The value, without surrounding white space.
    public let value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A `POST` with a body, or a `GET`.
public struct DeliveryRequest: Sendable {
    /// The supported methods.
    public enum Method: String, Sendable {
        /// Reads from a server: an app's remote switches, and what tools read. A sink never sends it.
        case get = "GET"
        /// Delivers events.
        case post = "POST"
    }

    /// The method. Its raw value is in upper case.
    public let method: Method
    /// `https`; `http` for a loopback address.
    public let url: URL
    /// The fields, `Authorization` included. Names are unique.
    public var fields: [DeliveryField]
    /// The bytes on the wire; empty for a `GET`.
    public let body: [UInt8]
    /// The maximum time for connecting, and the maximum time without progress. Waiting for a network does not count.
    public let timeout: Duration
    /// The maximum size of the response body. A longer body ends the request with
    /// ``DeliveryTransportError/Code/tooLarge``, unless ``cutsResponse`` is set.
    public let maximumResponseBytes: Int
    /// Whether a longer response body is truncated and the request succeeds. Only tools set it; an app's sink needs
    /// every byte.
    public let cutsResponse: Bool
    /// Whether the body may still be sent; nil if it always may. It returns false once a person has denied consent to an
    /// event in the body. Safe to call from any thread; does no I/O.
    public let mayContinue: (@Sendable () -> Bool)?
    /// Receives how many bytes of the body the peer's system has acknowledged, or its proxy's, if the transport knows it.
    /// Called during the upload and at its end. nil if nothing needs it. Safe to call from any thread.
    public let noteAcknowledged: (@Sendable (Int) -> Void)?
    /// The maximum size of the response header, 64 KiB. A longer header, or one with more than 200 fields, ends the
    /// request with ``DeliveryTransportError/Code/tooLarge``.
    public static let maximumHeaderBytes = 64 << 10
    static let maximumFieldCount = 200

    /// Makes a request from its parts.
    public init(
        method: Method = .post, url: URL, fields: [DeliveryField], body: [UInt8] = [], timeout: Duration,
        maximumResponseBytes: Int, cutsResponse: Bool = false, mayContinue: (@Sendable () -> Bool)? = nil,
        noteAcknowledged: (@Sendable (Int) -> Void)? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeout = timeout
        self.maximumResponseBytes = maximumResponseBytes
        self.cutsResponse = cutsResponse
        self.mayContinue = mayContinue
        self.noteAcknowledged = noteAcknowledged
    }
}

extension DeliveryRequest: CustomStringConvertible, CustomReflectable {
    /// The method and the sizes. Omits the key and the events.
    public var description: String { "\(method.rawValue) with \(fields.count) fields and \(body.count) bytes" }

    /// A mirror that omits the key and the events.
    public var customMirror: Mirror {
        Mirror(self, children: ["method": method, "fieldCount": fields.count, "bodyCount": body.count])
    }
}

/// The response of a server.
public struct DeliveryResponse: Sendable {
    /// The status, usually 200 to 599.
    public let status: Int
    /// The fields in the order of the response.
    public let fields: [DeliveryField]
    /// The bytes after the header.
    public let body: [UInt8]

    /// Makes a response from its parts.
    public init(status: Int, fields: [DeliveryField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The value of the first field with a name, compared case-insensitively.
    public subscript(name: String) -> String? {
        let name = name.lowercased()
        return fields.first { $0.name.lowercased() == name }?.value
    }
}
