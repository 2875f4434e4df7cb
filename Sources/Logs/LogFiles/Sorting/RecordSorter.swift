/// Sorts any number of records by the bytes of their keys, in constant memory (an external merge sort). Sorted runs
/// are written to a temporary file and merged, up to 64 at a time.
///
/// During an intermediate merge, the temporary files take twice the records' size. The sort is not stable. Not
/// thread-safe.
package final class RecordSorter {
    /// The most runs merged at a time.
    static let maximumRuns = 64

    private let memory: Int
    private let buffer = RecordBuffer()
    private var file: TemporaryFile?
    /// The positions of the runs in the file.
    private var runs: [Range<Int>] = []

    /// Creates an empty sorter.
    ///
    /// - Parameter memory: The size of a run in bytes, below 4 GiB.
    package init(memory: Int) { self.memory = memory }

    /// Adds a record.
    ///
    /// - Throws: ``LogFileError``: `cannotWrite`, `interrupted`.
    package func append(key: UnsafeRawBufferPointer, payload: UnsafeRawBufferPointer) throws {
        let length = RecordLayout.headLength + key.count + payload.count
        if buffer.count > 0, buffer.size + length > memory { try spill() }
        buffer.append(key: key, payload: payload)
    }

    /// All records in order. Do not add records after this.
    ///
    /// - Throws: ``LogFileError``: `cannotRead`, `cannotWrite`, `interrupted`.
    package func sorted() throws -> SortedRecords {
        if runs.count >= Self.maximumRuns { try spill() }
        while runs.count > Self.maximumRuns { try mergeOnce() }
        buffer.sort()
        return SortedRecords(fileRuns(runs[...]) + [MemoryRun(buffer)])
    }

    private func spill() throws {
        let file = try self.file ?? TemporaryFile()
        self.file = file
        buffer.sort()
        try write(SortedRecords([MemoryRun(buffer)]), to: file, &runs)
        buffer.removeAll()
    }

    private func fileRuns(_ ranges: ArraySlice<Range<Int>>) -> [any SortedRun] {
        file.map { file in ranges.map { FileRun(file, $0) } } ?? []
    }

    /// Merges each group of 64 runs to one run in a new file.
    private func mergeOnce() throws {
        let merged = try TemporaryFile()
        var longer: [Range<Int>] = []
        for first in stride(from: 0, to: runs.count, by: Self.maximumRuns) {
            let group = runs[first..<min(first + Self.maximumRuns, runs.count)]
            try write(SortedRecords(fileRuns(group)), to: merged, &longer)
        }
        file = merged
        runs = longer
    }

    private func write(_ records: SortedRecords, to file: TemporaryFile, _ runs: inout [Range<Int>]) throws {
        let blockSize = 256 << 10
        let start = file.length
        var records = records
        var block: [UInt8] = []
        block.reserveCapacity(blockSize)
        while let record = try records.next() {
            block.append(contentsOf: record.bytes)
            guard block.count >= blockSize else { continue }
            try Interruption.check()
            try block.withUnsafeBytes { try file.append($0) }
            block.removeAll(keepingCapacity: true)
        }
        try block.withUnsafeBytes { try file.append($0) }
        runs.append(start..<file.length)
    }
}
