internal import CThreadStack

/// Applies schemas to values of a tape: every keyword, in the order of the standard's dependencies.
///
/// It returns true or false, and collects violations on request. It reuses its memory, so that it rarely allocates.
struct TapeEvaluator {
    let program: Program
    let limits: ValidationLimits
    /// The instance, which is set for each use.
    var tape: TapeView
    /// The number of steps left for the text.
    var steps: Int
    /// The number of steps for the texts before.
    private var stepsBefore = 0
    private var depth = 0
    var stack = StackLimit()
    /// One byte for each member or element of the current values: whether a schema has evaluated it.
    var marks: [UInt8] = []
    /// The entered schema resources, for dynamic references.
    private var scopes: [Int32] = []
    var collector: ViolationCollector?

    /// Requests no marks.
    static let noMarks = -1

    init(_ program: Program, _ limits: ValidationLimits) {
        self.program = program
        self.limits = limits
        steps = limits.steps
        // Replaced before the first read.
        tape = TapeView(
            nodes: UnsafePointer(bitPattern: 16).unsafelyUnwrapped,
            text: UnsafePointer(bitPattern: 16).unsafelyUnwrapped)
    }

    /// Starts to count the steps of a text.
    @inline(__always)
    mutating func begin() {
        stepsBefore &+= limits.steps &- steps
        steps = limits.steps
        stack.begin()
    }

    /// Returns the number of steps since the last call.
    mutating func takeSteps() -> Int {
        defer {
            stepsBefore = 0
            steps = limits.steps
        }
        return stepsBefore &+ limits.steps &- steps
    }

    /// Applies a schema to the root of a tape, which is a text or a part of one.
    mutating func evaluate(_ node: Int, _ tape: TapeView) throws(ExhaustedLimit) -> Bool {
        self.tape = tape
        depth = 0
        marks.removeAll(keepingCapacity: true)
        scopes.removeAll(keepingCapacity: true)
        return try apply(node, to: 0, marks: Self.noMarks)
    }

    /// Consumes steps.
    @inline(__always)
    mutating func spend(_ count: Int) throws(ExhaustedLimit) {
        steps -= count
        if steps < 0 { throw .steps }
    }

    /// Consumes steps for a walk over elements that no schema evaluates, or over members, whose names are looked up.
    @inline(__always)
    mutating func spendOnParts(of container: TapeNode) throws(ExhaustedLimit) {
        try spend(Int(container.count) >> (container.kind == .object ? 2 : 4))
    }

    /// Applies a schema to a value.
    ///
    /// - Parameters:
    ///   - marks: The start of the value's marks, to record evaluated parts; else ``noMarks``.
    mutating func apply(_ number: Int, to value: Int, marks wanted: Int) throws(ExhaustedLimit) -> Bool {
        try spend(1)
        let node = program.nodes.base[number]
        guard node.kind == .rules else {
            if node.kind == .everything { return true }
            if isCollecting { report(nil, node: number, value: value, message: "no value is allowed here") }
            return false
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= limits.depth, !stack.isReached(isDeep: depth >= 16) else { throw .depth }
        let entersScope = scopes.last != node.resource
        if entersScope { scopes.append(node.resource) }
        defer { if entersScope { scopes.removeLast() } }
        guard node.logic.exists, program.logic.base[Int(node.logic)].hasUnevaluated else {
            return try applyRules(node, number, to: value, marks: wanted)
        }
        return try applyWithRest(node, number, to: value, marks: wanted)
    }

    /// Applies a schema with rules for unevaluated parts.
    private mutating func applyWithRest(
        _ node: SchemaNode, _ number: Int, to value: Int, marks wanted: Int
    ) throws(ExhaustedLimit) -> Bool {
        let kind = tape[value].kind
        guard kind == .object || kind == .array else {
            return try applyRules(node, number, to: value, marks: wanted)
        }
        let count = Int(tape[value].count)
        let own = try pushMarks(count)
        defer { popMarks(own) }
        var isValid = try applyRules(node, number, to: value, marks: own)
        guard isValid || collector != nil else { return false }
        if try !applyUnevaluated(node, number, to: value, marks: own) { isValid = false }
        if wanted != Self.noMarks { merge(own, into: wanted, count) }
        return isValid
    }

    private mutating func applyRules(
        _ node: SchemaNode, _ number: Int, to value: Int, marks: Int
    ) throws(ExhaustedLimit) -> Bool {
        var isValid = true
        let kind = tape[value].kind
        // Comparing a number, or checking its length, reads all of its digits.
        if kind == .number { try spend(Int(tape[value].length) >> 6) }
        if node.types != .any, !hasType(node.types, value) {
            if isCollecting {
                report(.type, node: number, value: value, message: "must be \(Self.list(node.types))")
            }
            isValid = false
            guard collector != nil else { return false }
            // Further violations of a value with the wrong type would be noise.
            return false
        }
        if !node.values.isEmpty, try !applyValues(node, number, to: value) { isValid = false }
        guard isValid || collector != nil else { return false }
        switch kind {
        case .number where node.number.exists:
            if try !applyNumber(program.numbers.base[Int(node.number)], number, to: value) { isValid = false }
        case .string where node.string.exists:
            if try !applyString(program.strings.base[Int(node.string)], number, to: value) { isValid = false }
        case .array where node.array.exists:
            if try !applyArray(program.arrays.base[Int(node.array)], number, to: value, marks: marks) {
                isValid = false
            }
        case .object where node.object.exists:
            if try !applyObject(program.objects.base[Int(node.object)], number, to: value, marks: marks) {
                isValid = false
            }
        default: break
        }
        guard isValid || collector != nil else { return false }
        if node.logic.exists,
            try !applyLogic(program.logic.base[Int(node.logic)], number, to: value, marks: marks)
        {
            isValid = false
        }
        return isValid
    }

    func hasType(_ types: JSONKind, _ value: Int) -> Bool {
        let node = tape[value]
        if types.contains(node.kind) { return true }
        guard node.kind == .number, types.contains(.integer) else { return false }
        return node.flag || ExactNumber(tape.bytes(node)).isInteger
    }

    private static func list(_ types: JSONKind) -> String {
        let names = JSONKind.names.filter { types.contains($0.kind) }.map { name, _ in
            switch name {
            case "null": "null"
            case "object", "array", "integer": "an \(name)"
            default: "a \(name)"
            }
        }
        return names.count < 2
            ? names.first ?? "of no type" : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// Compares values, using the text's steps.
    mutating func compare<Result>(
        _ body: (inout ValueComparison) throws(ExhaustedLimit) -> Result
    ) throws(ExhaustedLimit) -> Result {
        var comparison = ValueComparison(steps: steps, stack: stack)
        defer {
            steps = comparison.steps
            stack = comparison.stack
        }
        return try body(&comparison)
    }

    mutating func pushMarks(_ count: Int) throws(ExhaustedLimit) -> Int {
        try spend(count >> 4)
        let start = marks.count
        marks.append(contentsOf: repeatElement(0, count: count))
        return start
    }

    mutating func popMarks(_ start: Int) { marks.removeSubrange(start...) }

    mutating func merge(_ source: Int, into target: Int, _ count: Int) {
        for index in 0..<count where marks[source + index] != 0 { marks[target + index] = 1 }
    }

    /// Returns the target of a dynamic reference: the anchor in the outermost resource that has it.
    func dynamicTarget(_ anchor: ProgramIndex) -> Int? {
        for scope in scopes {
            for index in 0..<program.dynamicAnchors.count {
                let entry = program.dynamicAnchors.base[index]
                if entry.resource == scope, entry.anchor == anchor { return Int(entry.node) }
            }
        }
        return nil
    }
}

/// The stack limit of the calling thread, at which recursion stops instead of crashing.
///
/// Stack sizes differ: 8 MiB are usual, 512 KiB for secondary threads on Apple systems.
struct StackLimit {
    /// The reserve for calls without a check, in bytes. Frames are large in sanitizer builds.
    private static let reserve: UInt = 96 << 10

    private var lowest: UInt?

    /// Forgets the thread, since the next text may be checked on another one.
    @inline(__always)
    mutating func begin() { lowest = nil }

    /// Returns whether the stack has no room for further recursion. If the system does not report the stack size, it
    /// always has room.
    ///
    /// - Parameter isDeep: Whether the recursion is deep enough to query the system, which is slow. After the first
    ///   query, the answer holds at any depth.
    @inline(__always)
    mutating func isReached(isDeep: Bool) -> Bool {
        guard isDeep || lowest != nil else { return false }
        return UInt(thread_stack_position()) < lowest ?? ask()
    }

    @inline(never)
    private mutating func ask() -> UInt {
        let end = UInt(thread_stack_lowest_address())
        let lowest = end == 0 ? 0 : end &+ Self.reserve
        self.lowest = lowest
        return lowest
    }
}
