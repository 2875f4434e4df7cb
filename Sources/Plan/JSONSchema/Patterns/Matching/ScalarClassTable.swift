/// The class of each character, by two look-ups.
struct ScalarClassTable {
    /// For each 256 code points, the place of their classes in `classes`, in 256s.
    private let blocks: UnsafeMutablePointer<UInt16>
    private let blockCount: Int
    private let classes: UnsafeMutablePointer<UInt8>
    /// The class of all characters beyond the blocks.
    private let beyond: UInt8

    init(_ scalarClasses: ScalarClasses) {
        let runs = scalarClasses.runs
        let last = runs[runs.count - 1]
        beyond = UInt8(last.class)
        blockCount = Int(last.start + 255) >> 8

        var blocks: [UInt16] = []
        var classes: [UInt8] = []
        var known: [[UInt8]: UInt16] = [:]
        var knownUniform: [UInt16: UInt16] = [:]
        var run = 0
        for block in 0..<blockCount {
            let start = UInt32(block << 8)
            while run + 1 < runs.count, runs[run + 1].start <= start { run += 1 }
            let isUniform = run + 1 == runs.count || runs[run + 1].start > start + 255
            if isUniform, let place = knownUniform[runs[run].class] {
                blocks.append(place)
                continue
            }
            let members = Self.members(of: start, runs, from: run)
            let place = known[members] ?? UInt16(known.count)
            if Int(place) == known.count {
                known[members] = place
                classes += members
            }
            if isUniform { knownUniform[runs[run].class] = place }
            blocks.append(place)
        }
        self.blocks = .allocate(capacity: blocks.count)
        self.blocks.initialize(from: blocks, count: blocks.count)
        self.classes = .allocate(capacity: classes.count)
        self.classes.initialize(from: classes, count: classes.count)
    }

    /// The classes of the 256 code points of a block; `first` is the run that it begins in.
    private static func members(
        of start: UInt32, _ runs: [(start: UInt32, class: UInt16)], from first: Int
    ) -> [UInt8] {
        var run = first
        return (start..<start + 256).map { scalar in
            while run + 1 < runs.count, runs[run + 1].start <= scalar { run += 1 }
            return UInt8(runs[run].class)
        }
    }

    func deallocate() {
        blocks.deallocate()
        classes.deallocate()
    }

    @inline(__always)
    subscript(scalar: UInt32) -> UInt8 {
        let block = Int(scalar >> 8)
        return block < blockCount ? classes[Int(blocks[block]) << 8 | Int(scalar & 0xFF)] : beyond
    }
}
