internal import CServedFiles
internal import CollectorIntake
internal import CollectorReading
internal import CollectorStore
internal import DeliveryProtocol
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import JSONLines
internal import NIOCore
internal import NIOPosix
internal import PlanCodegen
internal import PlanPages
internal import Primitives

/// The live page, its login, and the stream of rows that it shows.
struct LiveRoutes {
    let collector: Collector

    /// `GET /live`: one file that loads nothing else.
    func page(_ request: Request) throws -> Response {
        try collector.checkLiveRequest(request.head)
        var response = Response.make(
            .ok, type: "text/html; charset=utf-8", ByteBuffer(bytes: served_live_page().contents))
        response.headers[.contentSecurityPolicy] = Self.contentSecurityPolicy
        response.headers[.referrerPolicy] = "no-referrer"
        return response
    }

    /// The page's own inline style and script by their hashes, and requests to this host; nothing else.
    static let contentSecurityPolicy: String = {
        let page = String(decoding: served_live_page().contents, as: UTF8.self)
        func hash(_ element: String) -> String {
            guard let start = page.range(of: "<\(element)>"), let end = page.range(of: "</\(element)>") else {
                return "'none'"
            }
            let text = page[start.upperBound..<end.lowerBound]
            return "'sha256-\(Data(SHA256.bytes(of: Array(text.utf8))).base64EncodedString())'"
        }
        return [
            "default-src 'none'", "script-src \(hash("script"))", "style-src \(hash("style"))",
            "connect-src 'self'", "img-src 'self' data:", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        ].joined(separator: "; ")
    }()

    /// `POST /v1/session` with `{"token": "at_…"}`: logs in. `DELETE`: logs out. `GET`: 204 if logged in.
    func session(_ request: Request) async throws -> Response {
        try collector.checkLiveRequest(request.head)
        let now = collector.settings.now()
        switch request.method {
        case .post:
            // Forms can't send this type to another origin without a preflight.
            guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
                throw DeliveryProblem(.unsupportedEncoding, "unsupported Content-Type; send application/json")
            }
            let token = try await request.member("token")
            _ = try collector.authorize("Bearer \(token)", .admin)
            return Self.cookie(
                collector, collector.sessions.start(key: token, at: now), maximumAge: AdminSessions.lifetime)
        case .delete:
            if let token = collector.sessionToken(request.head) { collector.sessions.end(token) }
            return Self.cookie(collector, "", maximumAge: 0)
        default:
            guard try collector.sessionAccess(request.head) != nil else {
                throw DeliveryProblem(.unauthorized, "no session; log in with the admin token")
            }
            return Response(status: .noContent, headers: [.cacheControl: "no-store"])
        }
    }

    private static func cookie(_ collector: Collector, _ value: String, maximumAge: Int64) -> Response {
        let secure = collector.settings.tls == nil ? "" : "; Secure"
        return Response(
            status: .noContent,
            headers: [
                .cacheControl: "no-store",
                .setCookie: "\(collector.sessionCookie)=\(value); Path=/; Max-Age=\(maximumAge); HttpOnly; "
                    + "SameSite=Strict\(secure)",
            ])
    }

    /// `GET /v1/stream`: rows as server-sent events, from a cursor on and without end.
    func stream(_ request: Request) async throws -> Response {
        let query = try StreamQuery(request, collector)
        let collector = self.collector
        let head = request.head
        let start = try await query.start(collector)
        var response = Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody { writer in
                try await collector.feed.withViewer {
                    try await Self.write(collector, query, after: start, for: head, to: &writer)
                }
                try await writer.finish(nil)
            })
        // For proxies that would collect the rows.
        response.headers[.accelBuffering] = "no"
        return response
    }

    /// The time without rows after which an event shows that the connection is alive. Shorter than the feed's heartbeat,
    /// so that each heartbeat of a quiet collector is passed on.
    private static let silence = Duration.seconds(10)

    private static func write(
        _ collector: Collector, _ query: StreamQuery, after start: RowCursor, for request: HTTPRequest,
        to writer: inout any ResponseBodyWriter
    ) async throws {
        let feed = collector.feed
        let filter = query.filter
        var cursor = start
        var isCaughtUp = false
        var lastWrite = ContinuousClock.now
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
        // A logout or a revoked token also ends open streams, within a heartbeat.
        while !Task.isCancelled, (try? collector.authorize(request, .admin)) != nil {
            let announcement = feed.announcement
            let page: RowFeed.Page
            if let recent = feed.recentPage(after: cursor, filter) {
                page = recent
            } else {
                let after = cursor
                page = try await NIOThreadPool.singleton.runIfActive { try feed.page(after: after, filter) }
            }
            cursor = page.next
            if !page.rows.isEmpty {
                try await writer.write(event("rows", at: cursor, rows: page.rows))
                lastWrite = .now
            } else if page.isAtEnd, isCaughtUp, ContinuousClock.now - lastWrite >= silence {
                try await writer.write(event("alive", at: cursor, rows: []))
                lastWrite = .now
            }
            guard page.isAtEnd else { continue }
            if !isCaughtUp {
                isCaughtUp = true
                try await writer.write(event("end", at: cursor, rows: []))
            }
            guard query.follows, !feed.hasEnded else { return }
            _ = await feed.awaitRows(after: announcement)
        }
    }

    /// A server-sent event with a row in each line of data. Its id is the cursor, so a browser that reconnects continues
    /// after the rows that it has.
    private static func event(_ name: String, at cursor: RowCursor, rows: [RenderedRow]) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(rows.reduce(128) { $0 + $1.json.count + 8 })
        buffer.writeString("event: \(name)\nid: \(cursor)\n")
        for row in rows {
            buffer.writeString("data: ")
            // A CR ends a line of the stream, too. In JSON, it can only be between two tokens.
            let hasCR = row.json.contains(UInt8(ascii: "\r"))
            buffer.writeBytes(hasCR ? row.json.map { $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 } : row.json)
            buffer.writeInteger(UInt8(ascii: "\n"))
        }
        // An event without data would be ignored.
        buffer.writeString(rows.isEmpty ? "data:\n\n" : "\n")
        return buffer
    }

    /// `GET /v1/rows/{cursor}/test`: a Swift test that asserts the event of a row. Personal values are redacted in it.
    func test(_ cursor: String) async throws -> Response {
        let feed = collector.feed
        guard let cursor = RowCursor(cursor) else {
            throw DeliveryProblem(.malformed, "the row is not a cursor; use the id of a row in the stream")
        }
        let row = try await NIOThreadPool.singleton.runIfActive {
            try feed.row(at: cursor)
        }
        guard let event = row?.event else {
            throw DeliveryProblem(.notFound, "there is no event at this cursor; it was removed, or is not JSON")
        }
        do throws(CodegenError) {
            let source = try RecordedEventTest.source(event, in: collector.schemas.plan.plan)
            return .make(.ok, type: "text/plain; charset=utf-8", ByteBuffer(string: source))
        } catch { throw DeliveryProblem(.notFound, "\(error.message)") }
    }

    /// `GET /v1/plan`: what the schemas state about each property, by schema reference.
    func plan() throws -> Response {
        let facts = PropertyFacts.all(in: collector.schemas.plan.plan)
        return .json { json in
            json.beginObject()
            for (reference, properties) in facts.sorted(by: { $0.key < $1.key }) {
                json.key(reference)
                json.beginArray()
                for property in properties { property.write(to: &json) }
                json.endArray()
            }
            json.endObject()
        }
    }
}

private struct StreamQuery {
    let filter: RowFilter
    /// Whether new rows are sent after the stored ones.
    let follows: Bool
    private let after: RowCursor?
    private let last: Int?

    init(_ request: Request, _ collector: Collector) throws {
        var filters: [(name: String, value: String)] = []
        var after: RowCursor?
        var last: Int?
        var follows = true
        for (name, value) in request.uri.queryParameters {
            switch name {
            case "after":
                guard let cursor = value.isEmpty ? .start : RowCursor(String(value)) else {
                    throw DeliveryProblem(.malformed, "after is not a cursor; use the id of an earlier event")
                }
                after = cursor
            case "last":
                guard let count = Int(value), (0...1_000_000).contains(count) else {
                    throw DeliveryProblem(.malformed, "last must be an integer from 0 to 1,000,000")
                }
                last = count
            case "follow":
                guard let value = Bool(String(value)) else {
                    throw DeliveryProblem(.malformed, "follow must be true or false")
                }
                follows = value
            default: filters.append((String(name), String(value)))
            }
        }
        do throws(RowFilter.Invalid) {
            filter = try RowFilter(filters, collector.feed.redaction, now: collector.settings.now())
        } catch { throw DeliveryProblem(.malformed, error.message) }
        if let id = request.headers[.lastEventID] {
            guard let cursor = RowCursor(id) else {
                throw DeliveryProblem(.malformed, "Last-Event-ID is not a cursor; use the id of an earlier event")
            }
            after = cursor
        }
        self.after = after
        self.last = last
        self.follows = follows
    }

    /// The cursor to start after: that of the request, or before the newest lines, by default the first row.
    func start(_ collector: Collector) async throws -> RowCursor {
        if let after { return after }
        guard let last else { return .start }
        let store = collector.store
        return try await NIOThreadPool.singleton.runIfActive {
            RowCursor(endOf: try store.receipt(beforeNewest: last))
        }
    }
}

extension PropertyFacts {
    fileprivate func write(to json: inout JSONWriter) {
        json.beginObject()
        for (name, value) in [("path", path), ("type", type), ("description", description)] {
            json.key(name)
            json.string(value)
        }
        if let isRequired {
            json.key("required")
            json.bool(isRequired)
        }
        if !limits.isEmpty {
            json.key("limits")
            json.string(limits.joined(separator: ", "))
        }
        if let personal {
            json.key("personal")
            json.string(personal)
        }
        json.endObject()
    }
}

extension HTTPField.Name {
    static let accelBuffering = known("X-Accel-Buffering")
}

extension served_file {
    /// The bytes, which live as long as the program.
    var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: count) }
}
