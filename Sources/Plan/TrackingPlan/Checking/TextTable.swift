/// A few texts, found by their bytes without an allocation.
struct TextTable {
    private let pool: [UInt8]
    private let ranges: [Range<Int>]
    /// What was found last: most lines repeat a few.
    private var last = 0

    init(_ texts: [String]) {
        var pool: [UInt8] = []
        ranges = texts.map { text in
            let start = pool.count
            pool += text.utf8
            return start..<pool.count
        }
        self.pool = pool
    }

    mutating func find(_ text: UnsafeRawBufferPointer) -> Int? {
        guard !ranges.isEmpty else { return nil }
        if isEqual(last, text[...]) { return last }
        for place in ranges.indices where isEqual(place, text[...]) {
            last = place
            return place
        }
        return nil
    }

    func isEqual(_ place: Int, _ text: Slice<UnsafeRawBufferPointer>) -> Bool {
        let range = ranges[place]
        guard range.count == text.count else { return false }
        return pool.withUnsafeBytes { $0[range].elementsEqual(text) }
    }
}
