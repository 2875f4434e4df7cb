internal import DeliveryProtocol
internal import EventModel
internal import Primitives

/// A submission that was checked and hashed on the submitting thread, so that the writer thread only decides.
struct PreparedSubmission: Sendable {
    let submission: Submission
    /// 16 bytes for each line, concatenated.
    let hashes: [UInt8]
    /// SHA-256 of the parts that a retry repeats: the header's range and missing numbers, and the SHA-256 of each
    /// line in the order of the request. Secret, ledger and last receipt are not included, because they may differ
    /// between attempts; nor are the verdicts on lines, which a new schema changes.
    let digest: [UInt8]
    /// SHA-256 of the install's secret; empty for an import.
    let secretHash: [UInt8]
    /// The batch's id; empty for an import.
    let key: [UInt8]
    /// The longest body, in bytes. Its frame is shorter than the longest readable frame.
    static let maximumBody = 16 << 20

    /// The numbers of the lines.
    let seqs: [ClosedRange<Int64>]

    /// The memory that the submission uses, in bytes, to bound the queue.
    var cost: Int { submission.body.count + 64 * submission.lines.count + 1024 }

    /// - Throws: ``StoreError`` with `invalidSubmission`.
    init(_ submission: Submission) throws(StoreError) {
        self.submission = submission
        try Self.check(submission)
        let header = submission.header
        secretHash = submission.secretHash ?? []
        guard let key = header.map({ [UInt8](hexadecimal: $0.id) }) ?? [], key.count == (header == nil ? 0 : 16)
        else {
            throw StoreError(.invalidSubmission, "the batch's id must be 32 lowercase hexadecimal digits")
        }
        self.key = key
        var identity = ByteWriter()
        identity.ranges(header.map { [$0.seqs] } ?? [])
        for range in header?.missing ?? [] {
            identity.ranges([range.seqs])
            identity.text(range.reason.rawValue)
        }
        (hashes, digest) = Self.hash(submission, after: identity.bytes)
        var seqs: [ClosedRange<Int64>] = []
        for line in submission.lines {
            let seq = line.facts.seq
            if let last = seqs.last, last.upperBound + 1 == seq {
                seqs[seqs.count - 1] = last.lowerBound...seq
            } else {
                seqs.append(seq...seq)
            }
        }
        self.seqs = seqs
    }

    private static func check(_ submission: Submission) throws(StoreError) {
        guard submission.body.count <= maximumBody else {
            throw StoreError(.invalidSubmission, "the body exceeds \(maximumBody) bytes; split the batch")
        }
        let range = submission.header?.seqs ?? 1...EventRecord.highestSeq
        var last = range.lowerBound - 1
        for line in submission.lines {
            guard line.facts.seq > last, line.facts.seq <= range.upperBound else {
                throw StoreError(.invalidSubmission, "the lines' numbers must ascend and be in the batch's range")
            }
            last = line.facts.seq
        }
        for bytes in submission.lines.map(\.bytes) + submission.rejected.map(\.bytes)
        where bytes.lowerBound < 0 || bytes.upperBound > submission.body.count {
            throw StoreError(.invalidSubmission, "each line must be a range of the body")
        }
    }

    /// The hashes of the lines, and the digest of all lines in the order of the request.
    private static func hash(_ submission: Submission, after identity: [UInt8]) -> (
        hashes: [UInt8], digest: [UInt8]
    ) {
        let (lines, rejected) = (submission.lines, submission.rejected)
        let order: [(number: Int, bytes: Range<Int>)] =
            rejected.isEmpty
            ? lines.map { ($0.number, $0.bytes) }
            : (lines.map { ($0.number, $0.bytes) } + rejected.map { ($0.rejection.line, $0.bytes) })
                .sorted { $0.0 < $1.0 }
        let kept = LineDigest.keptBytes
        // 32 bytes per line for the digest of all lines.
        var all = [UInt8](repeating: 0, count: identity.count + 32 * order.count)
        all.replaceSubrange(0..<identity.count, with: identity)
        var positions: [Int: Int] = [:]
        submission.body.withUnsafeBytes { body in
            all.withUnsafeMutableBufferPointer { all in
                guard let start = all.baseAddress else { return }
                for (index, line) in order.enumerated() {
                    SHA256.write(
                        UnsafeRawBufferPointer(rebasing: body[line.bytes]), to: start + identity.count + 32 * index)
                }
            }
        }
        // Without rejected lines, the order is that of the lines.
        if !rejected.isEmpty { for (index, line) in order.enumerated() { positions[line.number] = index } }
        // Without capacity, the initializer writes to the empty array that all threads share.
        let hashes = [UInt8](unsafeUninitializedCapacity: max(1, kept * lines.count)) { memory, count in
            for (index, line) in lines.enumerated() {
                let location = rejected.isEmpty ? index : positions[line.number] ?? index
                let offset = identity.count + 32 * location
                for byte in 0..<kept { memory[kept * index + byte] = all[offset + byte] }
            }
            count = kept * lines.count
        }
        return (hashes, SHA256.bytes(of: all))
    }
}
