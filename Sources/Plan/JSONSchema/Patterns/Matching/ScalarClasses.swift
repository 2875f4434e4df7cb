/// Puts all code points into classes that a program does not tell apart.
struct ScalarClasses {
    /// What a class's members have in common.
    struct Class {
        /// Any member.
        let sample: UInt32
        /// Whether each of the program's sets has the members, a bit each.
        fileprivate let membership: SIMD4<UInt64>

        func isIn(_ set: Int32) -> Bool { membership[Int(set) >> 6] >> UInt64(set & 63) & 1 != 0 }
    }

    /// Where each run of code points of one class begins, and its class.
    let runs: [(start: UInt32, class: UInt16)]
    let classes: [Class]

    /// Makes the classes, or returns nil if the program has too many sets or tells too many classes apart.
    init?(_ program: PatternProgram) {
        var sets = program.sets
        // Whether it is of a word makes a difference too.
        if program.usesWords { sets.append(.word) }
        guard sets.count <= PatternLimits.sets else { return nil }

        // Each code point at which a set begins or ends, and the sets that change there.
        var changes: [(at: UInt32, set: Int)] = []
        for (place, set) in sets.enumerated() {
            for range in set.ranges {
                changes.append((range.lowerBound, place))
                changes.append((range.upperBound + 1, place))
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
