internal import EventQuery
internal import LogFiles

/// Brings lines into the order of their ``MergeKey``, of any number in flat memory, and finds doubles among them.
///
/// Beside the lines, their ids are sorted, each with the key of its line. Of lines with one id all but the first are
/// doubles; their keys, sorted again, are then met in the same order as the lines. So doubles are found however far
/// apart their times are.
final class LineMerger {
    /// Bytes: 8 MiB of lines, 4 MiB of ids.
    private static let lineMemory = 8 << 20
    private static let idMemory = 4 << 20

    private let lines = RecordSorter(memory: lineMemory)
    private let ids: RecordSorter?

    /// - Parameter keepsDoubles: Whether lines with an id that was there already are kept.
    init(keepsDoubles: Bool) { ids = keepsDoubles ? nil : RecordSorter(memory: Self.idMemory) }

    /// Adds a line with its ``MergeKey``.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func add(_ line: EventLine, key: [UInt8]) throws {
        try key.withUnsafeBytes { try lines.append(key: $0, payload: line.bytes) }
        guard let ids, let identity = MergeKey.identity(of: line) else { return }
        try (identity + key).withUnsafeBytes { try ids.append(key: $0, payload: Self.nothing) }
    }

    /// All lines in their order. None is added after this.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func merged() throws -> MergedLines { MergedLines(try lines.sorted(), without: try doubles()) }

    /// The keys of the lines that are doubles, in their order.
    private func doubles() throws -> SortedRecords? {
        guard var sorted = try ids?.sorted() else { return nil }
        let doubles = RecordSorter(memory: Self.idMemory)
        var last: [UInt8] = []
        while let record = try sorted.next() {
            let identity = record.key.prefix(MergeKey.identityLength)
            if identity.elementsEqual(last) {
                let key = UnsafeRawBufferPointer(rebasing: record.key.dropFirst(MergeKey.identityLength))
                try doubles.append(key: key, payload: Self.nothing)
            } else {
                last = Array(identity)
            }
        }
        return try doubles.sorted()
    }

    private static var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
