internal import DeliveryProtocol
internal import JSONLines
internal import Primitives

/// Copies a segment without the lines of a user, without lines whose numbers are erased, without what pending erasures
/// concern, and without damaged parts.
struct SegmentRewrite {
    let segments: Segments
    let segment: Segments.Found
    /// nil removes only lines with erased numbers.
    let user: String?
    /// The erasures of installs that were pending when the rewrite of all segments began.
    var pending: [PendingErasure] = []
    /// Changes frames for a repair.
    var released: (FrameContent) -> FrameContent = { $0 }
    let erased: (_ installID: String, _ seqs: ClosedRange<Int64>) throws -> [ClosedRange<Int64>]
    /// Frames with this number or a later one are ignored.
    let limit: Int64

    struct Result {
        var header: SegmentHeader
        var lines = 0
        var rejects = 0
    }

    /// Writes and syncs the copy.
    ///
    /// - Parameter path: The file to create; must not exist.
    func write(to path: String) throws -> Result {
        var generator = SystemRandomNumberGenerator()
        var header = segment.header
        header.generation += 1
        header.marker = .random(in: 1...(.max), using: &generator)
        var result = Result(header: header)
        let files = segments.files
        let descriptor = try files.create(path)
        defer { files.close(descriptor) }
        try header.bytes.withUnsafeBytes { try files.writeAll(descriptor, $0, path: path) }
        var buffer = ByteWriter()
        try segments.scan(segment) { frame in
            guard frame.number < limit else { return }
            // Decoded and written again in this version's format; opening would have rejected frames of a later
            // version.
            let content = try frame.payload.withUnsafeBytes { try FrameContent(kind: frame.kind, $0) }
            let rest = try content.map { try without(released($0), frame.number, &result) }
            _ = buffer.frame(number: frame.number, marker: header.marker, kind: rest?.kind ?? frame.kind) {
                buffer in
                if let rest { rest.write(to: &buffer) } else { buffer.raw(frame.payload) }
            }
            if buffer.count > 1 << 20 { try flush(&buffer, to: descriptor, path: path) }
        }
        try flush(&buffer, to: descriptor, path: path)
        try files.sync(descriptor, path: path)
        return result
    }

    private func flush(_ buffer: inout ByteWriter, to descriptor: CInt, path: String) throws {
        try buffer.bytes.withUnsafeBytes { try segments.files.writeAll(descriptor, $0, path: path) }
        buffer.removeAll()
    }

    private func without(_ content: FrameContent, _ number: Int64, _ result: inout Result) throws -> FrameContent {
        // The segments before this one are rewritten, and lines that arrived later are not stored.
        if case .erasure(var erasure) = content, pending.contains(where: { $0.frame == number }) {
            erasure.user = nil
            return .erasure(erasure)
        }
        guard case .batch(var batch) = content else { return content }
        var gone: Set<Int> = []
        if let first = batch.lines.first, let last = batch.lines.last {
            let erased = try erased(batch.installID, first.seq...last.seq)
            let users = batch.users.map { $0 == user }
            for (index, line) in batch.lines.enumerated()
            where users[line.user] || NumberRanges.contains(erased, line.seq) { gone.insert(index) }
        }
        if !gone.isEmpty {
            var text: [UInt8] = []
            batch.forEachLine { index, line in
                if !gone.contains(index) {
                    text.append(contentsOf: line)
                    text.append(UInt8(ascii: "\n"))
                }
            }
            let seqs = gone.map { batch.lines[$0].seq }.sorted()
            batch.removed = NumberRanges.union(batch.removed + NumberRanges.ranges(of: seqs))
            batch.lines = batch.lines.enumerated().filter { !gone.contains($0.offset) }.map(\.element)
            batch.text = text
            batch.dropUnusedTexts()
            result.lines += gone.count
        }
        for (index, record) in batch.rejected.enumerated() where mentions(record) {
            batch.rejected[index] = record.erased
            result.rejects += 1
        }
        result.rejects += batch.dropRejects(of: pending, receipt: number)
        return .batch(batch)
    }

    /// Whether a rejected line may belong to the user. The line may not be JSON, so its bytes are searched.
    private func mentions(_ record: BatchFrame.RejectedRecord) -> Bool {
        guard let user, let bytes = record.bytes else { return false }
        let rejection = record.rejection
        let texts = [rejection.id ?? "", rejection.message, rejection.instancePath, rejection.schemaPath]
        if texts.contains(where: { $0.contains(user) }) || bytes.contains(Array(user.utf8)) { return true }
        return JSONValue(validating: bytes)?["user_id"]?.stringValue == user  // not JSON: searched above
    }
}
