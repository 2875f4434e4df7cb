package import DeliveryProtocol
package import EventModel
internal import Primitives

/// A parsed and validated request, ready for the store.
///
/// The lines are not copied: ``body`` is the whole decompressed body, and each line is a range of it.
package struct Submission: Sendable {
    package enum Origin: Sendable {
        /// A sealed batch of one install.
        case batch(BatchHeader)
        /// Lines of one install without a header, imported by an admin. They set no secret, and need none.
        case imported(installID: String)
    }

    package let origin: Origin
    /// When the request arrived.
    package let receivedAt: EventTime
    /// The client's send time.
    package let sentAt: EventTime?
    /// The bytes that contain the lines.
    package let body: [UInt8]
    /// Whether another collector has other lines of this install: a batch that is not known here is a fork.
    package var isForkedElsewhere = false
    private(set) var lines: [Line] = []
    private(set) var rejected: [Rejected] = []
    private var distinctUsers = DistinctTexts()
    private var distinctSchemas = DistinctTexts()
    var users: [String] { distinctUsers.texts }
    var schemas: [String] { distinctSchemas.texts }

    /// Texts in the order of their first occurrence.
    private struct DistinctTexts {
        private(set) var texts: [String] = []
        private var last = 0
        /// The indices of more than eight texts: a search would be slower.
        private var indices: [String: Int] = [:]

        mutating func index(of text: String) -> Int {
            if last < texts.count, texts[last] == text { return last }
            if let known = texts.count <= 8 ? texts.firstIndex(of: text) : indices[text] {
                last = known
                return known
            }
            last = texts.count
            texts.append(text)
            if texts.count == 9 {
                for (index, text) in texts.enumerated() { indices[text] = index }
            } else if texts.count > 9 {
                indices[text] = last
            }
            return last
        }
    }

    struct Line: Sendable {
        var facts: BatchFrame.LineFacts
        var number: Int
        var bytes: Range<Int>
    }

    struct Rejected: Sendable {
        var rejection: Receipt.Rejection
        var bytes: Range<Int>
    }

    package init(_ origin: Origin, receivedAt: EventTime, sentAt: EventTime? = nil, body: [UInt8]) {
        (self.origin, self.receivedAt, self.sentAt, self.body) = (origin, receivedAt, sentAt, body)
    }

    /// Adds an accepted line. Complexity: O(1).
    ///
    /// - Parameters:
    ///   - seq: Higher than that of the previous line, and in the header's range.
    ///   - number: The line number in the request, starting at 1.
    ///   - bytes: The range in ``body``, without the line feed.
    ///   - time: The event's time.
    ///   - user: The line's `user_id`: an erasure of this user removes the line.
    ///   - schema: The line's `schema`, such as `search/1-0-0`.
    ///   - isValidated: Whether the line was validated with a schema.
    package mutating func accept(
        seq: Int64, number: Int, bytes: Range<Int>, time: EventTime, user: String, schema: String,
        isValidated: Bool = true
    ) {
        let user = distinctUsers.index(of: user)
        let schema = distinctSchemas.index(of: schema)
        lines.append(
            Line(
                facts: .init(
                    seq: seq, length: bytes.count, time: time.microseconds, user: user, schema: schema,
                    isValidated: isValidated), number: number, bytes: bytes))
    }

    /// The most bytes that are kept of a rejected line.
    package static let keptBytes = 32 << 10

    /// Adds a permanently rejected line. Its first ``keptBytes`` are kept.
    ///
    /// - Parameter bytes: The range in ``body``, without the line feed.
    package mutating func reject(_ rejection: Receipt.Rejection, bytes: Range<Int>) {
        var rejection = rejection
        rejection.message = Receipt.Rejection.limited(rejection.message, note: Self.note(on: body[bytes]))
        rejected.append(Rejected(rejection: rejection, bytes: bytes))
    }

    /// The length and the digest of a rejected line that is kept only in part; empty for others.
    package static func note(on line: ArraySlice<UInt8>) -> String {
        guard line.count > keptBytes else { return "" }
        return
            " (\(line.count) bytes, SHA-256 \(SHA256.bytes(of: Array(line)).hexadecimal); the first \(keptBytes) are kept)"
    }

    /// The id of the install.
    package var installID: String {
        switch origin {
        case .batch(let header): header.installID
        case .imported(let installID): installID
        }
    }

    /// The highest number that the submission accounts for.
    package var highest: Int64 {
        let ledger = header?.ledger.compactMap(\.seqs?.upperBound).max() ?? 0
        return max(header?.seqs.upperBound ?? lines.last?.facts.seq ?? 0, ledger)
    }

    /// The SHA-256 of the install's secret; nil for an import.
    package var secretHash: [UInt8]? { header.map { SHA256.bytes(of: Array($0.secret.utf8)) } }

    /// The number of lines, accepted and rejected.
    package var lineCount: Int { lines.count + rejected.count }

    /// What the submission costs the writer thread and its sender's quota: 1 for each line, range of missing numbers and
    /// ledger row; at least 1.
    package var work: Int { max(1, lineCount + (header.map { $0.missing.count + $0.ledger.count } ?? 0)) }

    /// At least the number of rows of the index that storing the submission reads and writes; nil if nothing limits it, because
    /// a range without lines can have any number of rows.
    var maximumRows: Int? {
        guard let header, header.missing.isEmpty, header.ledger.isEmpty else { return nil }
        // For a line, at most: three ranges that are read, two of them deleted and one written; a run, a user, a new schema,
        // a rejection.
        return 12 * (lineCount + 1)
    }

    /// The length of the longest accepted line, in bytes. Complexity: O(lines).
    package var longestLine: Int { lines.reduce(0) { max($0, $1.bytes.count) } }

    var header: BatchHeader? {
        if case .batch(let header) = origin { header } else { nil }
    }
}
