package import JSONLines

/// The body of every error response: problem details (RFC 9457) as `application/problem+json`.
package struct DeliveryProblem: Error, Equatable, Sendable {
    /// The kind of problem. Its name is the last part of the problem's `type`.
    package var code: Code
    /// What happened in this case, and what to do.
    package var detail: String
    /// For a fork: the batch's numbers that the collector has with the same bytes, or has erased. They count as
    /// acknowledged.
    package var acknowledged: [ClosedRange<Int64>]
    /// For a fork: the batch's numbers that the collector has with other bytes.
    package var forked: [ClosedRange<Int64>]
    /// Seconds to wait before the next attempt; also in `Retry-After`.
    package var retryAfter: Int?

    package enum Code: String, CaseIterable, Sendable {
        /// The request can't be read.
        case malformed
        /// The body is not the one that `Content-Digest` is for: something has changed it on its way.
        case digestMismatch = "digest-mismatch"
        /// The key is missing or unknown.
        case unauthorized
        /// The key lacks the permission, or was revoked.
        case forbidden
        /// The secret is not the install's, or the install has none.
        case wrongSecret = "wrong-secret"
        /// The page does not exist.
        case notFound = "not-found"
        /// The page does not support this method.
        case methodNotAllowed = "method-not-allowed"
        /// The request did not arrive in time.
        case timeout
        /// A number was sent before with other bytes.
        case fork
        /// The install is registered with another secret.
        case installTaken = "install-taken"
        /// The name is already in use.
        case alreadyExists = "already-exists"
        /// The body, a line, the number of lines or the number of an event exceeds its limit.
        case tooLarge = "too-large"
        /// The content type or encoding is not accepted.
        case unsupportedEncoding = "unsupported-encoding"
        /// The id was already used for another body.
        case keyReused = "key-reused"
        /// The quota of the key or the install is exceeded.
        case overQuota = "over-quota"
        /// The collector can't store anything at the moment.
        case unavailable
        /// An internal error of the collector.
        case internalError = "internal"

        /// The HTTP status.
        package var status: Int {
            switch self {
            case .malformed, .digestMismatch: 400
            case .unauthorized: 401
            case .forbidden, .wrongSecret: 403
            case .notFound: 404
            case .methodNotAllowed: 405
            case .timeout: 408
            case .fork, .installTaken, .alreadyExists: 409
            case .tooLarge: 413
            case .unsupportedEncoding: 415
            case .keyReused: 422
            case .overQuota: 429
            case .internalError: 500
            case .unavailable: 503
            }
        }

        /// The title of the kind of problem, the same for each occurrence.
        package var title: String {
            switch self {
            case .malformed: "The request can't be read"
            case .digestMismatch: "The body differs from its digest"
            case .unauthorized: "Missing or invalid key"
            case .forbidden: "The key lacks permission"
            case .wrongSecret: "The secret is not the install's"
            case .notFound: "Not found"
            case .methodNotAllowed: "Method not allowed"
            case .timeout: "The request took too long"
            case .fork: "A number was sent with different bytes"
            case .installTaken: "The install is registered with another secret"
            case .alreadyExists: "The name is already in use"
            case .tooLarge: "Limit exceeded"
            case .unsupportedEncoding: "Unsupported content type or encoding"
            case .keyReused: "The idempotency key was used for another body"
            case .overQuota: "Quota exceeded"
            case .unavailable: "Temporarily unavailable"
            case .internalError: "Internal error"
            }
        }
    }

    package static let typePrefix = "urn:swift-tracking:problem:"

    package init(
        _ code: Code, _ detail: String, acknowledged: [ClosedRange<Int64>] = [], forked: [ClosedRange<Int64>] = [],
        retryAfter: Int? = nil
    ) {
        self.code = code
        self.detail = detail
        self.acknowledged = acknowledged
        self.forked = forked
        self.retryAfter = retryAfter
    }
}

extension DeliveryProblem: JSONLineWritable {
    package func write(to json: inout JSONWriter) {
        json.beginObject()
        json.key("type")
        json.string(Self.typePrefix + code.rawValue)
        json.key("title")
        json.string(code.title)
        json.key("status")
        json.integer(code.status)
        json.key("detail")
        json.string(detail)
        if code == .fork {
            json.key("acknowledged")
            json.writeRanges(acknowledged)
            json.key("forked")
            json.writeRanges(forked)
        }
        if let retryAfter {
            json.key("retry_after")
            json.integer(retryAfter)
        }
        json.endObject()
    }

    /// Reads a body; nil if it is not a problem of this protocol, such as a proxy's page.
    package init?(_ value: JSONValue) {
        guard let type = value["type"]?.stringValue, type.hasPrefix(Self.typePrefix),
            let code = Code(rawValue: String(type.dropFirst(Self.typePrefix.count)))
        else { return nil }
        self.init(
            code, value["detail"]?.stringValue ?? "",
            acknowledged: (try? value.ranges("acknowledged")) ?? [],  // nothing is acknowledged then
            forked: (try? value.ranges("forked")) ?? [],
            retryAfter: value["retry_after"]?.integerValue.map { Int(clamping: $0) })
    }
}
