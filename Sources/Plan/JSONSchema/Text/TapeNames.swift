/// Names of an object's members on a tape.
package enum TapeNames {
    /// The node of the first name of a whole tape that has stood in its object before.
    ///
    /// - Parameter count: How many nodes the tape has.
    package static func repeated(_ tape: TapeView, count: Int) -> Int? {
        for index in 0..<count where tape[index].kind == .object && tape[index].count > 1 {
            if let name = repeated(of: index, tape) { return name }
        }
        return nil
    }

    /// The node of the first name that has stood in the object before.
    static func repeated(of object: Int, _ tape: TapeView) -> Int? {
        let node = tape[object]
        let count = Int(node.count)
        if count <= 12 {
            return withUnsafeTemporaryAllocation(of: Int.self, capacity: count) { names in
                var at = object + 1
                for member in 0..<count {
                    for other in 0..<member where areEqual(tape[names[other]], tape[at], tape) { return at }
                    names[member] = at
                    at = Int(tape[at + 1].next)
                }
                return nil
            }
        }
        var seen = Set<[UInt8]>(minimumCapacity: count)
        var at = object + 1
        for _ in 0..<count {
            guard seen.insert(tape.withString(tape[at]) { Array($0) }).inserted else { return at }
            at = Int(tape[at + 1].next)
        }
        return nil
    }

    /// The node of the value of the first member of that name; nil if the object has none.
    static func value(of name: UnsafeBufferPointer<UInt8>, in object: Int, _ tape: TapeView) -> Int? {
        var at = object + 1
        while at < tape[object].next {
            if tape.withString(tape[at], { Bytes.areEqual($0, name) }) { return at + 1 }
            at = Int(tape[at + 1].next)
        }
        return nil
    }

    /// Whether two strings stand for the same text.
    private static func areEqual(_ left: TapeNode, _ right: TapeNode, _ tape: TapeView) -> Bool {
        if !left.flag, !right.flag { return Bytes.areEqual(tape.bytes(left), tape.bytes(right)) }
        return tape.withString(left) { left in tape.withString(right) { Bytes.areEqual(left, $0) } }
    }
}
