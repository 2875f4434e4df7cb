extension PatternParser {
    /// Reads a class; its opening bracket is taken.
    mutating func readClass(from start: Int) throws(PatternSyntaxError) -> ScalarSet {
        let isNegated = text.take("^")
        var parts = ScalarSet.Collector()
        while !text.take("]") {
            let memberStart = text.offset
            let member = try readClassMember(from: start)
            guard text.peek() == UInt8(ascii: "-"), text.peek(1) != UInt8(ascii: "]"), text.peek(1) != nil else {
                if makesTree { parts.add(member.ranges) }
                continue
            }
            text.skip()
            let end = try readClassMember(from: start)
            guard case .character(let first) = member, case .character(let last) = end else {
                throw text.fault("a range must be between two characters", at: memberStart)
            }
            if first > last { throw text.fault("a range's ends must ascend", at: memberStart) }
            if makesTree { parts.add([first...last]) }
        }
        let set = parts.set
        return isNegated ? set.inverted : set
    }

    private enum ClassMember {
        case character(UInt32)
        case set(ScalarSet)

        var ranges: [ClosedRange<UInt32>] {
            switch self {
            case .character(let value): [value...value]
            case .set(let set): set.ranges
            }
        }
    }

    private mutating func readClassMember(from classStart: Int) throws(PatternSyntaxError) -> ClassMember {
        let start = text.offset
        guard let scalar = text.scalar() else { throw text.fault("this class has no end", at: classStart) }
        guard scalar == 0x5C else { return .character(scalar) }
        if text.take("b") { return .character(0x08) }
        if text.take("-") { return .character(0x2D) }
        if let set = try readSetEscape(from: start) { return .set(set) }
        return .character(try readCharacterEscape(from: start))
    }
}
