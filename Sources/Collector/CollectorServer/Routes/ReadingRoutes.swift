internal import CollectorStore
internal import DeliveryProtocol
internal import EventModel
internal import HTTPTypes
internal import Hummingbird
internal import JSONLines
internal import NIOCore
internal import NIOPosix

/// Endpoints that require the admin token to read. Pages are read on threads that may block for the disk.
struct ReadingRoutes {
    let collector: Collector

    /// `GET /v1/lines`: the exact lines, in the order in which they were stored.
    func lines(_ request: Request) async throws -> Response {
        var query = try Query(
            request,
            [
                LinesQuery.after, LinesQuery.limit, LinesQuery.bytes, LinesQuery.install, LinesQuery.user,
                LinesQuery.schema, LinesQuery.from, LinesQuery.to, LinesQuery.envelope,
            ])
        let cursor = try query.cursor(LinesQuery.after)
        let selection = LineSelection(
            installID: query.text(LinesQuery.install), user: query.text(LinesQuery.user),
            schema: query.text(LinesQuery.schema), times: try query.times())
        let limit = try query.integer(LinesQuery.limit, in: 1...10_000) ?? 1000
        let bytes = try query.integer(LinesQuery.bytes, in: 1...(8 << 20)) ?? 900_000
        let envelope = query.text(LinesQuery.envelope)
        guard envelope == nil || envelope == "received" else {
            throw DeliveryProblem(.malformed, "envelope must be 'received', or absent")
        }
        let page = try await reading { store throws(StoreError) in
            try store.lines(after: cursor, selection, limit: limit, byteLimit: bytes)
        }
        var body = ByteBuffer()
        body.reserveCapacity(page.lines.reduce(0) { $0 + $1.bytes.count + 1 })
        for line in page.lines {
            if envelope == nil {
                body.writeBytes(line.bytes)
            } else {
                body.writeBytes(Self.received(line))
            }
            body.writeInteger(UInt8(0x0A))
        }
        var response = Response.make(.ok, type: DeliveryHeaderField.mediaType, body)
        response.headers[.cursor] = "\(page.next.receipt).\(page.next.seq)"
        response.headers[.more] = "\(page.hasMore)"
        return response
    }

    /// A line with its times of sending and receipt. The corrected time compensates for the sender's clock error:
    /// the difference between send time and time of receipt.
    private static func received(_ line: StoredLine) -> [UInt8] {
        var json = JSONWriter(capacity: line.bytes.count + 256)
        json.beginObject()
        json.key("cursor")
        json.string("\(line.cursor.receipt).\(line.cursor.seq)")
        json.key("received_at")
        json.seconds(microseconds: line.receivedAt.microseconds)
        if let sentAt = line.sentAt {
            let skew = line.receivedAt.microseconds.subtractingReportingOverflow(sentAt.microseconds)
            let corrected = line.time.microseconds.addingReportingOverflow(skew.partialValue)
            json.key("sent_at")
            json.seconds(microseconds: sentAt.microseconds)
            if !skew.overflow, !corrected.overflow {
                json.key("skew")
                json.seconds(microseconds: skew.partialValue)
                json.key("corrected_time")
                json.seconds(microseconds: corrected.partialValue)
            }
        }
        json.key("validated")
        json.bool(line.isValidated)
        json.key("line")
        json.value(line.bytes)
        json.endObject()
        return json.bytes
    }

    /// `GET /v1/installs`.
    func installs(_ request: Request) async throws -> Response {
        var query = try Query(request, ["after", "limit"])
        let after = query.text("after") ?? ""
        let limit = try query.integer("limit", in: 1...10_000) ?? 1000
        let found = try await reading { store throws(StoreError) in
            try store.completeness(after: after, limit: limit)
        }
        return Self.page("installs", found, limit: limit) {
            $1.write(to: &$0)
        } next: {
            $0.string($1.installID)
        }
    }

    /// `GET /v1/installs/{install_id}`.
    func install(_ id: String) async throws -> Response {
        let found = try await reading { store throws(StoreError) in try store.install(id) }
        guard let found else { throw Self.unknown }
        return try .json(found)
    }

    private static let unknown = DeliveryProblem(.notFound, "no batch of this install was received; check its id")

    /// `GET /v1/installs/{install_id}/hashes`.
    func hashes(_ id: String) async throws -> Response {
        let found = try await reading { store throws(StoreError) -> [RangeHash]? in
            guard try store.install(id) != nil else { return nil }
            return try store.rangeHashes(of: id, isMerged: false)
        }
        guard let found else { throw Self.unknown }
        return Self.page("hashes", found) { $1.write(to: &$0) }
    }

    /// `GET /v1/batches`.
    func batches(_ request: Request) async throws -> Response {
        var query = try Query(request, ["after", "limit", "install"])
        let install = query.text("install")
        let after = try query.number("after") ?? 0
        let limit = try query.integer("limit", in: 1...10_000) ?? 1000
        let found = try await reading { store throws(StoreError) in
            try store.batches(of: install, after: after, limit: limit)
        }
        return Self.page("batches", found, limit: limit) {
            $1.write(to: &$0)
        } next: {
            $0.integer($1.receipt)
        }
    }

    /// `GET /v1/rejects`: NDJSON, with the exact bytes in base64.
    func rejects(_ request: Request) async throws -> Response {
        var query = try Query(request, ["after", "limit", "install"])
        let install = query.text("install")
        let after = try query.number("after") ?? 0
        let limit = try query.integer("limit", in: 1...1000) ?? 100
        let found = try await reading { store throws(StoreError) in
            try store.rejects(of: install, after: after, limit: limit)
        }
        var body = ByteBuffer()
        for line in found {
            var json = JSONWriter()
            line.write(to: &json)
            json.withUnsafeBytes { _ = body.writeBytes($0) }
            body.writeInteger(UInt8(0x0A))
        }
        return .make(.ok, type: DeliveryHeaderField.mediaType, body)
    }

    /// A page of rows as JSON, in the member `name`. If there may be more rows, the member `next` has the cursor.
    ///
    /// - Parameters:
    ///   - limit: The requested number of rows; nil if these are all.
    ///   - next: Writes the cursor after the last row.
    private static func page<Row>(
        _ name: StaticString, _ rows: [Row], limit: Int? = nil, _ write: (inout JSONWriter, Row) -> Void,
        next: (inout JSONWriter, Row) -> Void = { _, _ in }
    ) -> Response {
        .json { json in
            json.beginObject()
            json.key(name)
            json.beginArray()
            for row in rows { write(&json, row) }
            json.endArray()
            if rows.count == limit, let last = rows.last {
                json.key("next")
                next(&json, last)
            }
            json.endObject()
        }
    }

    private func reading<Result: Sendable>(
        _ body: @escaping @Sendable (BatchStore) throws(StoreError) -> Result
    ) async throws -> Result {
        let store = collector.store
        return try await NIOThreadPool.singleton.runIfActive { try body(store) }
    }
}

/// The query parameters of a request.
struct Query {
    private let values: [String: String]

    /// - Throws: ``DeliveryProblem``, `malformed`, for an unknown or repeated parameter.
    init(_ request: Request, _ names: Set<String>) throws(DeliveryProblem) {
        var values: [String: String] = [:]
        for (name, value) in request.uri.queryParameters {
            let name = String(name)
            guard names.contains(name) else {
                throw DeliveryProblem(
                    .malformed,
                    "unknown parameter '\(name.prefix(100))'; use \(names.sorted().joined(separator: ", "))"
                )
            }
            // An empty cursor means the start, so a loop needs no special first case.
            guard !value.isEmpty || name == LinesQuery.after else {
                throw DeliveryProblem(.malformed, "parameter '\(name)' is empty; give it a value, or leave it out")
            }
            guard values.updateValue(String(value), forKey: name) == nil else {
                throw DeliveryProblem(.malformed, "parameter '\(name)' is repeated; give it once")
            }
        }
        self.values = values
    }

    mutating func text(_ name: String) -> String? { values[name] }

    mutating func number(_ name: String) throws(DeliveryProblem) -> Int64? {
        guard let text = values[name] else { return nil }
        guard let value = Int64(text), (0...EventRecord.highestSeq).contains(value) else {
            throw DeliveryProblem(
                .malformed, "\(name) must be an integer from 0 to \(EventRecord.highestSeq)")
        }
        return value
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(DeliveryProblem) -> Int? {
        guard let text = values[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw DeliveryProblem(
                .malformed, "\(name) must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    mutating func cursor(_ name: String) throws(DeliveryProblem) -> LineCursor {
        guard let text = values[name], !text.isEmpty else { return .start }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 2, let receipt = parts[0], let seq = parts[1], receipt >= 0,
            (0...EventRecord.highestSeq).contains(seq), receipt < .max
        else {
            throw DeliveryProblem(
                .malformed, "\(name) is not a cursor; use the previous response's \(LinesQuery.cursorField)")
        }
        return LineCursor(receipt: receipt, seq: seq)
    }

    mutating func times() throws(DeliveryProblem) -> ClosedRange<EventTime>? {
        func time(_ name: String) throws(DeliveryProblem) -> EventTime? {
            guard let text = values[name] else { return nil }
            guard let time = EventTime(secondsSince1970: text) else {
                throw DeliveryProblem(.malformed, "\(name) must be seconds since 1970, with at most six decimals")
            }
            return time
        }
        let from = try time(LinesQuery.from)
        let to = try time(LinesQuery.to)
        guard from != nil || to != nil else { return nil }
        let start = from ?? EventTime(microseconds: .min)
        let end = to ?? EventTime(microseconds: .max)
        guard start <= end else { throw DeliveryProblem(.malformed, "from must not be after to") }
        return start...end
    }
}
