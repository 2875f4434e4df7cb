/// Merges the records of several sorted runs.
package struct SortedRecords {
    private let runs: [any SortedRun]
    /// The indices of unfinished runs, as a heap. The run with the lowest key is at the top; of equal keys, the
    /// earlier run.
    private var heap: [Int] = []
    private var isStarted = false

    init(_ runs: [any SortedRun]) { self.runs = runs }

    /// The next record; nil at the end. Complexity: O(log runs).
    ///
    /// - Throws: ``LogFileError``, `cannotRead`.
    package mutating func next() throws -> SortedRecord? {
        if !isStarted {
            try start()
        } else if let top = heap.first {
            try runs[top].advance()
            if runs[top].record == nil {
                heap.swapAt(0, heap.count - 1)
                heap.removeLast()
            }
            sink(0)
        }
        return heap.first.flatMap { runs[$0].record }
    }

    private mutating func start() throws {
        isStarted = true
        for index in runs.indices {
            try runs[index].advance()
            if runs[index].record != nil { heap.append(index) }
        }
        for index in stride(from: heap.count / 2, through: 0, by: -1) { sink(index) }
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var first = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && precedes(heap[child], heap[first]) {
                first = child
            }
            if first == index { return }
            heap.swapAt(index, first)
            index = first
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        guard let first = runs[left].record?.key, let second = runs[right].record?.key else { return false }
        if SortedRecord.precedes(first, second) { return true }
        return left < right && !SortedRecord.precedes(second, first)
    }
}

/// A sorted sequence of records.
protocol SortedRun: AnyObject {
    /// The current record; nil at the end.
    var record: SortedRecord? { get }

    /// Advances to the first or the next record.
    func advance() throws
}

/// A run in memory.
final class MemoryRun: SortedRun {
    private let records: RecordBuffer
    private var next = 0
    private(set) var record: SortedRecord?

    /// - Parameter records: Sorted records.
    init(_ records: RecordBuffer) { self.records = records }

    func advance() {
        record = records.record(next)
        next += 1
    }
}

/// A run in a range of a temporary file, read in blocks.
final class FileRun: SortedRun {
    private static let blockSize = 64 << 10

    private let file: TemporaryFile
    /// The range of the file that is not in the block yet.
    private var rest: Range<Int>
    private var block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 16)
    /// The unread range of the block.
    private var filled = 0..<0
    private(set) var record: SortedRecord?

    init(_ file: TemporaryFile, _ range: Range<Int>) {
        self.file = file
        rest = range
    }

    deinit { block.deallocate() }

    func advance() throws {
        if let record {
            filled = (filled.lowerBound + record.bytes.count)..<filled.upperBound
        }
        record = try whole().map { RecordLayout.record($0) }
    }

    /// The address of the next record, after reading it completely into the block; nil at the end.
    private func whole() throws -> UnsafeRawPointer? {
        var needed = RecordLayout.headLength
        if filled.count < needed { try fill(needed) }
        guard !filled.isEmpty, var start = block.baseAddress.map({ UnsafeRawPointer($0 + filled.lowerBound) }) else {
            return nil
        }
        needed = RecordLayout.length(start)
        if filled.count < needed {
            try fill(needed)
            guard let moved = block.baseAddress else { return nil }
            start = UnsafeRawPointer(moved)
        }
        return start
    }

    /// Moves the unread bytes to the start of the block, enlarges the block if necessary, and fills it.
    private func fill(_ needed: Int) throws {
        let old = block
        let left = UnsafeRawBufferPointer(rebasing: old[filled])
        if needed > old.count { block = .allocate(byteCount: needed, alignment: 16) }
        if !left.isEmpty { block.copyMemory(from: left) }
        if needed > old.count { old.deallocate() }
        let count = min(block.count - left.count, rest.count)
        try file.read(
            at: rest.lowerBound, into: UnsafeMutableRawBufferPointer(rebasing: block[left.count..<left.count + count]))
        rest = (rest.lowerBound + count)..<rest.upperBound
        filled = 0..<(left.count + count)
    }
}
