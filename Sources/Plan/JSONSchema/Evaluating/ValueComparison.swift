/// Compares values for equality as JSON Schema defines it: numbers by value, objects without order.
struct ValueComparison {
    /// The remaining steps. A step examines one value, or 64 bytes of it.
    var steps: Int
    var stack: StackLimit
    private var depth = 0

    init(steps: Int, stack: StackLimit) {
        self.steps = steps
        self.stack = stack
    }

    private mutating func spend(on node: TapeNode) throws(ExhaustedLimit) {
        let isScalar = node.kind != .array && node.kind != .object
        steps -= 1 + (isScalar ? Int(node.length) >> 6 : 0)
        if steps < 0 { throw .steps }
    }

    /// Enters an array or an object. The caller must leave it again.
    private mutating func goDown() throws(ExhaustedLimit) {
        depth += 1
        if stack.isReached(isDeep: depth >= 16) { throw .depth }
    }

    mutating func areEqual(
        _ left: TapeView, at leftIndex: Int, _ right: TapeView, at rightIndex: Int
    ) throws(ExhaustedLimit) -> Bool {
        let mine = left[leftIndex]
        try spend(on: mine)
        let theirs = right[rightIndex]
        guard mine.kind == theirs.kind else { return false }
        switch mine.kind {
        case .null: return true
        case .boolean: return mine.flag == theirs.flag
        case .number: return ExactNumber(left.bytes(mine)).compare(ExactNumber(right.bytes(theirs))) == 0
        case .string:
            return left.withString(mine) { text in
                right.withString(theirs) { Bytes.areEqual(text, $0) }
            }
        case .array:
            guard mine.count == theirs.count else { return false }
            try goDown()
            defer { depth -= 1 }
            var at = leftIndex + 1
            var other = rightIndex + 1
            while at < mine.next {
                guard try areEqual(left, at: at, right, at: other) else { return false }
                at = Int(left[at].next)
                other = Int(right[other].next)
            }
            return true
        default:
            guard mine.count == theirs.count else { return false }
            try goDown()
            defer { depth -= 1 }
            return try haveEqualMembers(left, at: leftIndex, right, at: rightIndex)
        }
    }

    /// Returns whether each member has a counterpart in the other object. Names may be duplicated.
    private mutating func haveEqualMembers(
        _ left: TapeView, at leftIndex: Int, _ right: TapeView, at rightIndex: Int
    ) throws(ExhaustedLimit) -> Bool {
        var at = leftIndex + 1
        var other = rightIndex + 1
        // Most equal objects have the same order.
        while at < left[leftIndex].next, try areEqual(left, at: at, right, at: other) {
            guard try areEqual(left, at: at + 1, right, at: other + 1) else { return false }
            at = Int(left[at + 1].next)
            other = Int(right[other + 1].next)
        }
        let mine = try sortedMembers(left, from: at, of: leftIndex)
        let theirs = try sortedMembers(right, from: other, of: rightIndex)
        for (at, other) in zip(mine, theirs) {
            guard try areEqual(left, at: at, right, at: other), try areEqual(left, at: at + 1, right, at: other + 1)
            else {
                return false
            }
        }
        return true
    }

    /// Returns the members of an object from an index on, sorted by name; duplicates keep their order.
    private mutating func sortedMembers(
        _ tape: TapeView, from first: Int, of object: Int
    ) throws(ExhaustedLimit) -> [Int] {
        var members: [Int] = []
        var at = first
        while at < tape[object].next {
            try spend(on: tape[at])
            members.append(at)
            at = Int(tape[at + 1].next)
        }
        return members.sorted { one, other in
            let order = tape.withString(tape[one]) { mine in
                tape.withString(tape[other]) { Bytes.order(mine, $0) }
            }
            return order == 0 ? one < other : order < 0
        }
    }

    /// Returns a hash that is equal for equal values.
    mutating func hash(_ tape: TapeView, _ index: Int) throws(ExhaustedLimit) -> Int {
        let node = tape[index]
        try spend(on: node)
        var hasher = Hasher()
        hasher.combine(node.kind)
        switch node.kind {
        case .boolean: hasher.combine(node.flag)
        case .number: ExactNumber(tape.bytes(node)).hash(into: &hasher)
        case .string: tape.withString(node) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .array:
            try goDown()
            defer { depth -= 1 }
            var at = index + 1
            while at < node.next {
                hasher.combine(try hash(tape, at))
                at = Int(tape[at].next)
            }
        case .object:
            try goDown()
            defer { depth -= 1 }
            // A sum, because members have no order.
            var sum = 0
            var at = index + 1
            while at < node.next {
                var member = Hasher()
                member.combine(try hash(tape, at))
                member.combine(try hash(tape, at + 1))
                sum &+= member.finalize()
                at = Int(tape[at + 1].next)
            }
            hasher.combine(sum)
        default: break
        }
        return hasher.finalize()
    }

    /// Returns the first element of an array that equals an earlier one, with that one. Complexity: O(n), except for
    /// values with colliding hashes.
    mutating func duplicates(in tape: TapeView, _ array: Int) throws(ExhaustedLimit) -> (first: Int, second: Int)? {
        var values: [Int] = []
        /// The last index of each hash, and for each index the previous one with the same hash; -1 for none.
        var last: [Int: Int] = [:]
        var previous: [Int] = []
        values.reserveCapacity(Int(tape[array].count))
        previous.reserveCapacity(Int(tape[array].count))
        var at = array + 1
        while at < tape[array].next {
            let hash = try hash(tape, at)
            let before = last.updateValue(values.count, forKey: hash) ?? -1
            var location = before
            while location >= 0 {
                if try areEqual(tape, at: values[location], tape, at: at) { return (location, values.count) }
                location = previous[location]
            }
            previous.append(before)
            values.append(at)
            at = Int(tape[at].next)
        }
        return nil
    }
}
