import CollectorFixtures
import CollectorIntake
import CollectorReading
import CollectorStore
import CommandRunner
import DeliveryProtocol
import EventModel
import Foundation

/// A store with schemas: `search`, whose query is personal, and the standard events.
final class FeedFolder: Sendable {
    let temporary: TemporaryFolder
    let store: BatchStore
    let schemas: SchemaKeeper
    let sender = SendingInstall("install-a")

    init() throws {
        temporary = try TemporaryFolder()
        try Self.writeSchema(to: temporary, personal: ["query"])
        schemas = try SchemaKeeper(folder: temporary.path("Schemas"))
        store = try BatchStore(folder: temporary.path("store"))
    }

    func feed(_ options: RowFeed.Options = .init()) -> RowFeed {
        RowFeed(store, schemas: schemas, options: options) { body in body() }
    }

    /// Schema of `order` with text properties, some of them personal.
    static func writeSchema(to folder: TemporaryFolder, personal: [String]) throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("Schemas/events/order"), withIntermediateDirectories: true)
        let properties = ["query", "label"].map { name in
            """
            "\(name)": {"type": "string", "maxLength": 1000, "description": "A text.", \
            "x-pii": \(personal.contains(name))}
            """
        }
        try folder.write(
            """
            {"$schema": "https://json-schema.org/draft/2020-12/schema",
             "$id": "https://schemas.example.com/events/order/1-0-0.json",
             "title": "order", "description": "An order.", "type": "object", "required": ["name", "value"],
             "additionalProperties": false,
             "properties": {"name": {"const": "order", "description": "The name."},
               "value": {"type": "object", "description": "What.", "additionalProperties": false,
                 "properties": {\(properties.joined(separator: ", ")),
                   "items": {"type": "array", "maxItems": 9, "description": "The items.",
                     "items": {"type": "object", "additionalProperties": false, "properties": {
                       "name": {"type": "string", "maxLength": 99, "description": "Its name.", "x-pii": true},
                       "count": {"type": "integer", "minimum": 0, "maximum": 99, "description": "How many.",
                         "x-pii": false}}}}}}}}
            """, to: "Schemas/events/order/1-0-0.json")
    }

    /// A line of `order` with the members of its value.
    func order(_ seq: Int64, _ value: String, version: String = "1-0-0") -> String {
        sender.line(seq).replacing("search/1-0-0", with: "order/\(version)")
            .replacing(
                #"{"name":"search","value":{"query":"swift","page":1}}"#,
                with: #"{"name":"order","value":{\#(value)}}"#)
    }

    /// Sends a batch as the collector does, and returns its receipt.
    @discardableResult
    func send(
        _ number: Int, _ seqs: ClosedRange<Int64>, _ lines: [String], from sender: SendingInstall? = nil,
        missing: [BatchHeader.MissingRange] = []
    ) async throws -> Receipt {
        let sender = sender ?? self.sender
        let submission = try Intake(schemas).submission(
            of: SendingInstall.body([sender.header(number, seqs, missing: missing)] + lines),
            .init(
                idempotencyKey: nil, receivedAt: EventTime(seconds: 1_700_000_100),
                sentAt: EventTime(seconds: 1_700_000_090), mayImport: false))
        switch try await store.submit(submission) {
        case .accepted(let receipt, _): return receipt
        case let other: throw Unexpected(outcome: "\(other)")
        }
    }

    struct Unexpected: Error { let outcome: String }

    func filter(_ parameters: (String, String)...) throws -> RowFilter {
        try RowFilter(
            parameters.map { (name: $0.0, value: $0.1) }, feed().redaction, now: EventTime(seconds: 1_700_000_200))
    }
}

extension RowFeed {
    /// All rows after a cursor, page by page.
    func rows(
        after cursor: RowCursor = .start, _ filter: RowFilter = .init(), byteLimit: Int = 1 << 20
    ) throws -> [RenderedRow] {
        var (rows, cursor) = ([RenderedRow](), cursor)
        while true {
            let page = try page(after: cursor, filter, byteLimit: byteLimit)
            rows += page.rows
            cursor = page.next
            if page.isAtEnd { return rows }
        }
    }
}

extension RenderedRow {
    var text: String { String(decoding: json, as: UTF8.self) }
}
