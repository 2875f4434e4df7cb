internal import EventFormats
internal import Foundation
internal import LogMaintenance

/// A row of a user: the number that becomes erased, and what `numbers` states with it.
struct UserRow: Hashable {
    var installID: String
    var seq: Int64
    var fork: String
    var block: String
    var batch: String
    var collector: String
    /// Text as in the row, such as `2015-01-01 00:00:00.000000`.
    var receivedAt: String
}

/// Finds a user's rows among the rows of files.
struct UserRows {
    /// The id in UTF-8.
    let user: [UInt8]
    /// The id as JSON may have it.
    let forms: [[UInt8]]
    /// Whether the id has characters that JSON escapes in two bytes, so that any row may have it.
    private let mayBeAnywhere: Bool

    /// The columns that are searched for mentions, besides `line`.
    static let texts: [StaticString] = [
        "install_id", "fork", "id", "event", "schema", "user_id", "session_id", "collector", "batch",
    ]

    init(_ user: String) {
        self.user = Array(user.utf8)
        forms = UserForms(user).patterns
        mayBeAnywhere = self.user.contains { $0 < 0x20 || $0 == 0x22 || $0 == 0x2F || $0 == 0x5C || $0 == 0x7F }
    }

    /// Splits rows into those of others, byte for byte, and those of the user.
    ///
    /// - Throws: ``DamagedFile``.
    func split(_ text: [UInt8]) throws -> (kept: [UInt8], rows: [UserRow]) {
        var kept: [UInt8] = []
        var rows: [UserRow] = []
        var position = 0
        try forEachCandidate(text) { range, row in
            guard isOfUser(row) else { return }
            guard let seq = row.number("seq"), let id = row.text("install_id"), let fork = row.text("fork"),
                let block = row.text("block"), let batch = row.text("batch"), let collector = row.text("collector"),
                let receivedAt = row.text("received_at")
            else { throw DamagedFile("has a row without some columns") }
            rows.append(
                UserRow(
                    installID: id, seq: seq, fork: fork, block: block, batch: batch, collector: collector,
                    receivedAt: receivedAt))
            kept += text[position..<range.lowerBound]
            position = range.upperBound
        }
        return (kept + text[position...], rows)
    }

    /// Counts the user's rows, and the rows of others that have the id somewhere.
    ///
    /// - Throws: ``DamagedFile``.
    func count(_ text: [UInt8]) throws -> (left: Int64, mentions: Int64) {
        var left: Int64 = 0
        var mentions: Int64 = 0
        try forEachCandidate(text) { _, row in
            if isOfUser(row) { left += 1 } else if hasMention(row) { mentions += 1 }
        }
        return (left, mentions)
    }

    /// Whether bytes have the id in a form of JSON.
    func areMention(_ bytes: UnsafeRawBufferPointer) -> Bool { forms.contains { ByteSearch.contains($0, in: bytes) } }

    private func isOfUser(_ row: WarehouseRow) -> Bool {
        // Byte by byte: Swift compares strings by their characters.
        row.withText("user_id") { $0.elementsEqual(user) } ?? false
    }

    private func hasMention(_ row: WarehouseRow) -> Bool {
        Self.texts.contains { row.withText($0) { ByteSearch.contains(user, in: $0) } ?? false }
            || row.withText("line", areMention) ?? false
    }

    /// Whether bytes may have the id, as it is or escaped.
    private func mayHave(_ bytes: UnsafeRawBufferPointer) -> Bool {
        mayBeAnywhere || ByteSearch.contains(user, in: bytes)
            || ByteSearch.contains([UInt8(ascii: "\\"), UInt8(ascii: "u")], in: bytes)
    }

    /// Calls `body` with the rows that may have the id; the range includes the line feed.
    private func forEachCandidate(
        _ text: [UInt8], _ body: (_ range: Range<Int>, _ row: WarehouseRow) throws -> Void
    ) throws {
        var reader = WarehouseRowReader()
        try text.withUnsafeBytes { bytes in
            guard mayHave(bytes) else { return }
            try RowFile.forEachRow(bytes) { range, row in
                guard mayHave(row) else { return }
                guard try reader.read(row, { try body(range, $0) }) != nil else { throw DamagedFile.noObject }
            }
        }
    }
}

extension DamagedFile {
    static var noObject: DamagedFile { DamagedFile("has a row that is not a JSON object") }
}

extension RowFile {
    /// Calls `body` with each row. The range includes the line feed, and the row does not.
    static func forEachRow(
        _ text: UnsafeRawBufferPointer, _ body: (_ range: Range<Int>, _ row: UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        guard let base = text.baseAddress else { return }
        var start = 0
        while start < text.count {
            let feed = memchr(base + start, 0x0A, text.count - start)
            let end = feed.map { base.distance(to: UnsafeRawPointer($0)) } ?? text.count
            let next = min(text.count, end + 1)
            try body(start..<next, UnsafeRawBufferPointer(rebasing: text[start..<end]))
            start = next
        }
    }
}
