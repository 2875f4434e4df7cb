/// Where the lines of a file start.
struct LineStarts {
    /// In bytes from the start of the file; the first is 0.
    private let starts: [Int]
    private let count: Int

    init(_ bytes: [UInt8]) {
        count = bytes.count
        starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    /// The line and the column of a place, both from 1. Complexity: O(log of the lines).
    func place(of offset: Int) -> (line: Int, column: Int) {
        let offset = min(offset, count)
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, offset - starts[low] + 1)
    }
}
