internal import DeliveryProtocol
internal import EventModel
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import JSONLines
internal import NIOCore
internal import Primitives

extension HTTPFields {
    /// The value of the first field with a name. The subscript first makes an index of all fields, which costs more than a
    /// search.
    func first(_ name: HTTPField.Name) -> String? { first { $0.name == name }?.value }
}

extension HTTPField.Name {
    static let contentDigest = known(DeliveryHeaderField.contentDigest)
    static let idempotencyKey = known(DeliveryHeaderField.idempotencyKey)
    static let attempt = known(DeliveryHeaderField.attempt)
    static let sentAt = known(DeliveryHeaderField.sentAt)
    static let cursor = known(LinesQuery.cursorField)
    static let more = known(LinesQuery.moreField)

    static func known(_ name: String) -> Self {
        guard let field = Self(name) else { preconditionFailure("invalid field name \(name)") }
        return field
    }
}

/// A response with a complete body.
struct Answer {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    var body: ByteBuffer

    init(_ status: HTTPResponse.Status, type: String, _ body: ByteBuffer) {
        self.status = status
        self.body = body
        fields = [
            .contentType: type, .contentLength: "\(body.readableBytes)", .cacheControl: "no-store",
            .xContentTypeOptions: "nosniff",
        ]
    }

    /// A response with JSON that the closure writes.
    static func json(
        _ status: HTTPResponse.Status = .ok, type: String = "application/json",
        _ write: (inout JSONWriter) throws -> Void
    ) rethrows -> Answer {
        var json = JSONWriter(capacity: 512)
        try write(&json)
        return Answer(status, type: type, json.withUnsafeBytes { ByteBuffer(bytes: $0) })
    }

    /// A response with problem details (RFC 9457) and the header fields of its status.
    static func problem(_ problem: DeliveryProblem) -> Answer {
        var answer = json(.init(code: problem.code.status), type: "application/problem+json") {
            problem.write(to: &$0)
        }
        if let seconds = problem.retryAfter { answer.fields[.retryAfter] = "\(seconds)" }
        switch problem.code {
        case .unauthorized: answer.fields[.wwwAuthenticate] = "Bearer"
        case .unsupportedEncoding:
            answer.fields[.acceptEncoding] = "gzip, zstd"
            answer.fields[.accept] = DeliveryHeaderField.mediaType
        default: break
        }
        return answer
    }
}

/// The value of `Date`, formatted once a second. Thread-safe.
final class HTTPDate: Sendable {
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private let known = Locked<(second: Int64, text: String)>((-1, ""))

    /// A time in the format of RFC 9110, 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
    func text(at time: EventTime) -> String {
        known.withLock { known in
            let second = time.microseconds / 1_000_000
            if known.second != second { known = (second, Self.text(second)) }
            return known.text
        }
    }

    private static func text(_ second: Int64) -> String {
        var time = time_t(second)
        var parts = tm()
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return days[Int(parts.tm_wday)] + ", " + two(parts.tm_mday) + " " + months[Int(parts.tm_mon)]
            + " \(1900 + parts.tm_year) " + two(parts.tm_hour) + ":" + two(parts.tm_min) + ":" + two(parts.tm_sec)
            + " GMT"
    }
}

extension Response {
    init(_ answer: Answer) {
        self.init(status: answer.status, headers: answer.fields, body: ResponseBody(byteBuffer: answer.body))
    }

    static func json(_ body: some JSONLineWritable) throws -> Response {
        Response(try Answer.json { try body.write(to: &$0) })
    }

    /// A response with a JSON body that the closure writes.
    static func json(_ status: HTTPResponse.Status = .ok, _ write: (inout JSONWriter) -> Void) -> Response {
        Response(Answer.json(status, write))
    }

    static func make(_ status: HTTPResponse.Status, type: String, _ body: ByteBuffer) -> Response {
        Response(Answer(status, type: type, body))
    }
}
