/// Compares values for equality as JSON Schema defines it: numbers by value, objects without order.
struct ValueComparison {
    /// What is left to spend; a step looks at one value, or at 64 bytes of it.
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

    /// Goes down into an array or an object; whoever does goes up again.
    private mutating func goDown() throws(ExhaustedLimit) {
        depth += 1
        if stack.isReached(isDeep: depth >= 16) { throw .depth }
    }

    mutating func areEqual(
        _ left: TapeView, _ leftIndex: Int, _ right: TapeView, _ rightIndex: Int
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
                guard try areEqual(left, at, right, other) else { return false }
                at = Int(left[at].next)
                other = Int(right[other].next)
            }
            return true
        default:
            guard mine.count == theirs.count else { return false }
            try goDown()
            defer { depth -= 1 }
            return try haveEqualMembers(left, leftIndex, right, rightIndex)
        }
    }

    private mutating func haveEqualMembers(
        _ left: TapeView, _ leftIndex: Int, _ right: TapeView, _ rightIndex: Int
    ) throws(ExhaustedLimit) -> Bool {
        var at = leftIndex + 1
        while at < left[leftIndex].next {
            guard let other = try find(left, at, right, rightIndex), try areEqual(left, at + 1, right, other + 1) else {
                return false
            }
            at = Int(left[at + 1].next)
        }
        return true
    }

    /// The node of the member of that name.
    private mutating func find(
        _ left: TapeView, _ name: Int, _ right: TapeView, _ object: Int
    ) throws(ExhaustedLimit) -> Int? {
        var at = object + 1
        while at < right[object].next {
            if try areEqual(left, name, right, at) { return at }
            at = Int(right[at + 1].next)
        }
        return nil
    }

    // MARK: Hashing

    /// A number that is the same for equal values.
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

    /// The first two elements of an array that are equal. Complexity: O(n log n) but for values made to collide.
    mutating func doubles(in tape: TapeView, _ array: Int) throws(ExhaustedLimit) -> (first: Int, second: Int)? {
        var hashes: [(hash: Int, place: Int, value: Int)] = []
        hashes.reserveCapacity(Int(tape[array].count))
        var at = array + 1
        while at < tape[array].next {
            hashes.append((try hash(tape, at), hashes.count, at))
            at = Int(tape[at].next)
        }
        hashes.sort { ($0.hash, $0.place) < ($1.hash, $1.place) }
        for index in hashes.indices {
            var other = index + 1
            while other < hashes.count, hashes[other].hash == hashes[index].hash {
                if try areEqual(tape, hashes[index].value, tape, hashes[other].value) {
                    return (hashes[index].place, hashes[other].place)
                }
                other += 1
            }
        }
        return nil
    }
}
