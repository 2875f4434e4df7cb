/// The records of several runs in one order.
package struct SortedRecords {
    private let runs: [any SortedRun]
    /// The places of the runs that are not at their end, as a heap: the run with the first key is on top, and of two
    /// with equal keys the one that was begun first.
    private var heap: [Int] = []
    private var isStarted = false

    init(_ runs: [any SortedRun]) { self.runs = runs }

    /// The next record; nil at the end. Complexity: O(log runs).
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
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
        for place in runs.indices {
            try runs[place].advance()
            if runs[place].record != nil { heap.append(place) }
        }
        for place in stride(from: heap.count / 2, through: 0, by: -1) { sink(place) }
    }

    private mutating func sink(_ start: Int) {
        var place = start
        while true {
            var first = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && precedes(heap[child], heap[first]) {
                first = child
            }
            if first == place { return }
            heap.swapAt(place, first)
            place = first
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        guard let first = runs[left].record?.key, let second = runs[right].record?.key else { return false }
        if SortedRecord.precedes(first, second) { return true }
        return left < right && !SortedRecord.precedes(second, first)
    }
}
