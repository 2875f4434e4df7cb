/// Groups all code points into classes that a program does not distinguish.
struct ScalarClasses {
    /// The common properties of a class.
    struct Class {
        /// Any member.
        let sample: UInt32
        /// Whether each of the program's sets contains the members, one bit per set.
        fileprivate let membership: SIMD4<UInt64>

        func isIn(_ set: Int32) -> Bool { membership[Int(set) >> 6] >> UInt64(set & 63) & 1 != 0 }
    }

    /// The start of each run of code points in one class, and its class.
    let runs: [(start: UInt32, class: UInt16)]
    let classes: [Class]

    /// Makes the classes, or returns nil if the program has too many sets or needs too many classes.
    init?(_ program: PatternProgram) {
        var sets = program.sets
        // Word characters are also distinguished.
        if program.usesWords { sets.append(.word) }
        guard sets.count <= PatternLimits.sets else { return nil }

        // Each code point at which a set starts or ends, and that set.
        var changes: [(at: UInt32, set: Int)] = []
        for (location, set) in sets.enumerated() {
            for range in set.ranges {
                changes.append((range.lowerBound, location))
                changes.append((range.upperBound + 1, location))
            }
        }
        changes.sort { $0.at < $1.at }

        var known: [SIMD4<UInt64>: UInt16] = [:]
        var classes: [Class] = []
        var runs: [(start: UInt32, class: UInt16)] = []
        var membership = SIMD4<UInt64>.zero
        var next = 0
        var start: UInt32 = 0
        while start <= ScalarSet.last {
            while next < changes.count, changes[next].at == start {
                let set = changes[next].set
                membership[set >> 6] ^= 1 << UInt64(set & 63)
                next += 1
            }
            let number = known[membership] ?? UInt16(classes.count)
            if Int(number) == classes.count {
                guard classes.count < PatternLimits.sets else { return nil }
                known[membership] = number
                classes.append(Class(sample: start, membership: membership))
            }
            if runs.last?.class != number { runs.append((start, number)) }
            start = next < changes.count ? changes[next].at : ScalarSet.last + 1
        }
        self.runs = runs
        self.classes = classes
    }
}

/// Finds the class of a character with two lookups.
struct ScalarClassTable {
    /// For each 256 code points, the index of their classes in `classes`, in units of 256.
    private let blocks: UnsafeMutablePointer<UInt16>
    private let blockCount: Int
    private let classes: UnsafeMutablePointer<UInt8>
    /// The class of all characters after the blocks.
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
            if isUniform, let location = knownUniform[runs[run].class] {
                blocks.append(location)
                continue
            }
            let members = Self.members(of: start, runs, from: run)
            let location = known[members] ?? UInt16(known.count)
            if Int(location) == known.count {
                known[members] = location
                classes += members
            }
            if isUniform { knownUniform[runs[run].class] = location }
            blocks.append(location)
        }
        self.blocks = .allocate(capacity: blocks.count)
        self.blocks.initialize(from: blocks, count: blocks.count)
        self.classes = .allocate(capacity: classes.count)
        self.classes.initialize(from: classes, count: classes.count)
    }

    /// Returns the classes of the 256 code points in a block; `first` is the run in which it starts.
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
