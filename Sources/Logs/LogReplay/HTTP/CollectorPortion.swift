internal import DeliveryProtocol
internal import EventQuery
internal import JSONLines
internal import Primitives

/// The lines of a request to a collector: consecutive lines of a batch from one install.
struct CollectorPortion {
    /// An event of the batch, as a collector's response may refer to it.
    struct Line {
        /// The event's index in the batch.
        let index: Int
        /// The event's number; nil if it is unreadable.
        let seq: Int64?
    }

    /// The lines' install; nil if it is unreadable in all lines.
    let installID: String?
    private(set) var lines: [Line]
    /// The reasons for missing numbers among those of the lines; empty for an import.
    private(set) var missing: [BatchHeader.MissingRange] = []
    /// The install if the lines are sent as its own batch; nil for an import.
    private let log: SealedLog?

    /// Divides lines of a batch into requests.
    ///
    /// - Parameters:
    /// - indices: The indices of the lines, ascending.
    /// - logs: The installs whose batches are sent as their own, by id.
    static func cut(_ batch: ReplayBatch, _ indices: [Int], logs: [String: SealedLog]) -> [CollectorPortion] {
        let scanner = EventLineScanner([.installID, .seq])
        var portions: [CollectorPortion] = []
        for index in indices {
            let (install, seq) = Array(batch.line(index)).withUnsafeBytes { bytes -> (String?, Int64?) in
                guard let line = try? scanner.scan(bytes) else { return (nil, nil) }  // the collector rejects it
                return (line.text(line.installID), line.seq)
            }
            let line = Line(index: index, seq: seq)
            if portions.last?.accepts(line, of: install) == true {
                portions[portions.count - 1].append(line)
            } else {
                portions.append(
                    CollectorPortion(line, of: install, log: seq == nil ? nil : install.flatMap { logs[$0] }))
            }
        }
        return portions
    }

    private init(_ line: Line, of installID: String?, log: SealedLog?) {
        self.installID = installID
        self.log = log
        lines = [line]
        if let log, let seq = line.seq { missing = log.explained(before: seq) }
    }

    private func accepts(_ line: Line, of install: String?) -> Bool {
        guard let log else { return install == installID || install == nil }
        guard install == installID, let seq = line.seq, let last = lines.last?.seq, seq > last else { return false }
        return seq == last + 1 || log.explanation(of: last + 1...seq - 1) != nil
    }

    private mutating func append(_ line: Line) {
        if let log, let seq = line.seq, let last = lines.last?.seq, seq > last + 1 {
            missing += log.explanation(of: last + 1...seq - 1) ?? []
        }
        lines.append(line)
    }

    /// The batch header; nil for an import.
    private func header(id: String) -> BatchHeader? {
        guard let log, let first = missing.first?.seqs.lowerBound ?? lines.first?.seq, let start = lines.first?.seq,
            let last = lines.last?.seq
        else { return nil }
        return BatchHeader(
            id: id, installID: log.installID, secret: log.secret, seqs: min(first, start)...last, missing: missing)
    }

    /// The request's id and body. The same lines, numbers and reasons give the same id and body.
    ///
    /// - Parameter batchID: Nil for an import.
    func request(of batch: ReplayBatch) -> (id: String, body: [UInt8], batchID: String?) {
        let text = lines.flatMap { batch.line($0.index) + [UInt8(ascii: "\n")] }
        let blank = String(repeating: "0", count: 32)
        guard let draft = header(id: blank) else { return (SHA256.hexadecimal(text), text, nil) }
        let id = String(SHA256.hexadecimal(Self.line(draft) + text).prefix(blank.count))
        return (id, header(id: id).map(Self.line).map { $0 + text } ?? text, id)
    }

    private static func line(_ header: BatchHeader) -> [UInt8] {
        var json = JSONWriter()
        header.write(to: &json)
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// The line that a rejection refers to by its line number.
    func line(number: Int) -> Line? {
        // The batch header is line 1.
        let index = number - (log == nil ? 1 : 2)
        return lines.indices.contains(index) ? lines[index] : nil
    }
}
