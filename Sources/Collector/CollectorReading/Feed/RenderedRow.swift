package import CollectorStore
internal import DeliveryProtocol
internal import EventModel
internal import EventQuery
internal import Foundation
internal import JSONLines

/// A stored row as the page receives it: a JSON object with personal values redacted, and the facts that filters
/// need.
///
/// | member | what |
/// |---|---|
/// | `cursor` | the row's position, see `RowCursor` |
/// | `kind` | a ``RowKind`` |
/// | `install`, `batch` | the install, and the batch's id unless it is an import |
/// | `received`, `sent` | when the collector received the batch and the client sent it, in seconds since 1970 |
/// | `seq`, `last` | the number; for duplicate and held rows the first and the last number of the range |
/// | `time`, `name`, `schema`, `user`, `session`, `app` | of the line, if it has them |
/// | `code`, `message`, `path`, `schema_path` | of a rejected line: why, and JSON pointers to the value and the rule |
/// | `line` | the line, redacted |
/// | `text` | the start of a rejected line that is not JSON, as UTF-8 with replaced bytes; absent if the plan marks personal values, because they could not be redacted |
package struct RenderedRow: Equatable, Sendable {
    package let cursor: RowCursor
    package let kind: RowKind
    package let installID: String
    package internal(set) var name: String?
    package internal(set) var schema: String?
    package internal(set) var user: String?
    package internal(set) var session: String?
    package internal(set) var app: String?
    /// The JSON object, without a line feed.
    package internal(set) var json: [UInt8] = []
    /// The location of the redacted line in ``json``.
    var line: Range<Int>?

    /// The JSON of the line's event, redacted; nil if the row has no line.
    package var event: [UInt8]? {
        json.withUnsafeBytes { json in
            guard let line else { return nil }
            let bytes = UnsafeRawBufferPointer(rebasing: json[line])
            return EventPath(members: "event").location(in: bytes).map { Array(bytes[$0]) }
        }
    }

    /// The most bytes of a line that is not JSON in `text`.
    static let maximumText = 4096
}

/// What happened to a row.
package enum RowKind: String, CaseIterable, Sendable {
    /// Stored, and valid by its schema.
    case accepted
    /// Stored without validation, because the plan has no schema for it.
    case unvalidated
    /// Rejected for ever; the exact bytes are kept.
    case rejected
    /// Already stored with the same bytes.
    case duplicate
    /// Kept on the device until the user consents.
    case held
}

struct RowRenderer {
    private static let scanner = EventLineScanner([.sessionID, .userID, .schema])
    private static let appPath = EventPath(members: "context", "app")
    private let redaction: PlanRedaction

    init(_ redaction: PlanRedaction) { self.redaction = redaction }

    /// Renders all rows of a batch. Complexity: O(bytes).
    func rows(of batch: StoredBatch) -> [RenderedRow] { batch.rows.map { row(of: $0, batch) } }

    private func row(of row: StoredBatch.Row, _ batch: StoredBatch) -> RenderedRow {
        switch row.content {
        case .line(let line):
            var rendered = RenderedRow(
                cursor: row.cursor, kind: line.isValidated ? .accepted : .unvalidated, installID: batch.installID)
            rendered.user = line.user
            rendered.schema = line.schema
            render(&rendered, bytes: line.bytes, of: batch) { json in
                json.key("seq")
                json.integer(line.seq)
                json.key("time")
                json.seconds(microseconds: line.time.microseconds)
            }
            return rendered
        case .rejected(let rejection, let bytes):
            var rendered = RenderedRow(cursor: row.cursor, kind: .rejected, installID: batch.installID)
            render(&rendered, bytes: bytes, of: batch) { json in
                if let seq = rejection.seq {
                    json.key("seq")
                    json.integer(seq)
                }
                for (name, value) in [
                    ("code", rejection.code), ("message", rejection.message), ("path", rejection.instancePath),
                    ("schema_path", rejection.schemaPath),
                ] {
                    json.key(name)
                    json.string(value)
                }
            }
            return rendered
        case .duplicates(let range): return self.range(range, kind: .duplicate, at: row.cursor, of: batch)
        case .held(let range): return self.range(range, kind: .held, at: row.cursor, of: batch)
        }
    }

    private func range(_ range: ClosedRange<Int64>, kind: RowKind, at cursor: RowCursor, of batch: StoredBatch)
        -> RenderedRow
    {
        var rendered = RenderedRow(cursor: cursor, kind: kind, installID: batch.installID)
        render(&rendered, bytes: nil, of: batch) { json in
            json.key("seq")
            json.integer(range.lowerBound)
            json.key("last")
            json.integer(range.upperBound)
        }
        return rendered
    }

    private func render(
        _ row: inout RenderedRow, bytes: [UInt8]?, of batch: StoredBatch,
        _ facts: (inout JSONWriter) -> Void
    ) {
        if let bytes { describe(&row, bytes) }
        // A rejected line may be any bytes; its schema only selects what is redacted.
        let line = bytes.flatMap { bytes in
            try? redaction.redacted(
                bytes, schema: row.schema ?? row.name ?? "", isValidated: row.kind == .accepted)
        }
        var json = JSONWriter(capacity: (bytes?.count ?? 0) + 512)
        json.beginObject()
        for (name, value) in [
            ("cursor", row.cursor.description), ("kind", row.kind.rawValue), ("install", row.installID),
            ("batch", batch.batchID), ("name", row.name), ("schema", row.schema), ("user", row.user),
            ("session", row.session), ("app", row.app),
        ] {
            guard let value else { continue }
            json.key(name)
            json.string(value)
        }
        json.key("received")
        json.seconds(microseconds: batch.receivedAt.microseconds)
        if let sentAt = batch.sentAt {
            json.key("sent")
            json.seconds(microseconds: sentAt.microseconds)
        }
        facts(&json)
        // Without a structure, nothing can be redacted.
        if line == nil, let bytes, redaction.isEmpty {
            json.key("text")
            json.string(String(decoding: bytes.prefix(RenderedRow.maximumText), as: UTF8.self))
        }
        var start = 0
        if let line {
            json.key("line")
            start = json.bytes.count
            json.value(line)
        }
        json.endObject()
        row.json = json.bytes
        row.line = line.map { start..<(start + $0.count) }
    }

    /// Finds the members of a line that filters use.
    private func describe(_ row: inout RenderedRow, _ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            // A line that cannot be scanned has no name, session or schema; it is still shown.
            guard let line = try? Self.scanner.scan(bytes) else { return }
            row.name = line.text(line.name)
            row.session = line.text(line.sessionID)
            row.user = row.user ?? line.text(line.userID)
            row.schema = row.schema ?? line.text(line.schema)
            if case .text(let text)? = line.value(at: Self.appPath) {
                row.app = EventLine.text(Array(text))
            }
        }
    }
}
