/// Validates values directly from their bytes, in one pass.
///
/// It returns whether a text is certainly valid. In all other cases (not JSON, invalid, past a limit) it stops, and the
/// ``TapeEvaluator`` finds the cause, so there are no paths, messages or errors here. For a schema that one pass cannot
/// check, the tape evaluator validates only that value.
struct StreamEvaluator {
    let program: Program
    let limits: ValidationLimits
    private var tape = JSONTape()
    var tapeEvaluator: TapeEvaluator
    private let nodes: UnsafePointer<SchemaNode>
    /// The ranges of captured members of the root object, in the last text.
    var captured: [Range<Int>?]
    let capturesAny: Bool

    init(_ program: Program, _ limits: ValidationLimits) {
        self.program = program
        self.limits = limits
        tapeEvaluator = TapeEvaluator(program, limits)
        nodes = program.nodes.base
        captured = program.captureSlots.map { _ in nil }
        capturesAny = program.captureSlots.contains { $0 >= 0 }
    }

    /// Returns whether a complete text is certainly valid.
    mutating func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in captured.indices { captured[index] = nil }
        guard text.count <= limits.text.maximumBytes else { return false }
        tapeEvaluator.begin()
        tape.begin()
        var cursor = JSONCursor(text)
        if value(0, &cursor, depth: limits.text.maximumDepth), cursor.peek() == 0 { return true }
        for index in captured.indices { captured[index] = nil }
        return false
    }

    /// Reads and validates a value.
    mutating func value(_ number: ProgramIndex, _ cursor: inout JSONCursor, depth: Int) -> Bool {
        // A value may be checked several times, once for each pattern that matches its name.
        tapeEvaluator.steps &-= 1
        guard tapeEvaluator.steps >= 0 else { return false }
        let target = nodes[Int(number)].target
        let node = nodes + Int(target)
        guard node.pointee.isStreamable else { return checkByTape(target, &cursor, depth: depth) }
        guard node.pointee.kind == .rules else {
            return node.pointee.kind == .everything && skip(&cursor, depth: depth)
        }
        do throws(JSONSyntaxError) {
            switch cursor.peek() {
            case UInt8(ascii: "\""):
                guard node.pointee.types.contains(.string) else { return false }
                let span = try cursor.string()
                return string(node, span, end: cursor.end)
            case UInt8(ascii: "{"):
                guard node.pointee.types.contains(.object), node.pointee.values.isEmpty, hasRoom(depth) else {
                    return false
                }
                return try object(node, &cursor, depth: depth - 1)
            case UInt8(ascii: "["):
                guard node.pointee.types.contains(.array), node.pointee.values.isEmpty, hasRoom(depth) else {
                    return false
                }
                return try array(node, &cursor, depth: depth - 1)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let span = try cursor.number()
                return self.number(node, span)
            case UInt8(ascii: "t"):
                try cursor.literal("true")
                return node.pointee.types.contains(.boolean) && allows(node) { $0.allowsTrue }
            case UInt8(ascii: "f"):
                try cursor.literal("false")
                return node.pointee.types.contains(.boolean) && allows(node) { $0.allowsFalse }
            case UInt8(ascii: "n"):
                try cursor.literal("null")
                return node.pointee.types.contains(.null) && allows(node) { $0.allowsNull }
            default: return false
            }
        } catch {
            return false
        }
    }

    /// Returns whether another nested array or object fits the depth limit, and every 32 levels whether it fits the
    /// stack.
    @inline(__always)
    private mutating func hasRoom(_ depth: Int) -> Bool {
        depth > 0 && (depth & 31 != 15 || !tapeEvaluator.stack.isReached(isDeep: true))
    }

    @inline(__always)
    private mutating func allows(_ node: UnsafePointer<SchemaNode>, _ isAllowed: (ValueRules) -> Bool) -> Bool {
        for index in node.pointee.values.indices where !isAllowed(program.values.base[index]) { return false }
        return true
    }

    @inline(never)
    private mutating func checkByTape(_ number: ProgramIndex, _ cursor: inout JSONCursor, depth: Int) -> Bool {
        do throws(JSONSyntaxError) { try readTape(&cursor, depth: depth) } catch { return false }
        return tape.nodes.withUnsafeBufferPointer { nodes in
            let view = TapeView(nodes: nodes.baseAddress.unsafelyUnwrapped, text: cursor.start)
            do throws(ExhaustedLimit) { return try tapeEvaluator.evaluate(Int(number), view) } catch { return false }
        }
    }

    mutating func readTape(_ cursor: inout JSONCursor, depth: Int) throws(JSONSyntaxError) {
        var limits = limits.text
        limits.maximumDepth = depth
        try tape.read(&cursor, limits: limits)
    }

    /// Reads a value of any form.
    mutating func skip(_ cursor: inout JSONCursor, depth: Int) -> Bool {
        do throws(JSONSyntaxError) {
            switch cursor.peek() {
            case UInt8(ascii: "\""): _ = try cursor.string()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let span = try cursor.number()
                return !limits.text.isInteroperable || InteroperableNumber.holds(span)
            default: try readTape(&cursor, depth: depth)
            }
            return true
        } catch {
            return false
        }
    }

    // These are mutating only so that calls don't copy the evaluator.

    @inline(__always)
    private mutating func string(
        _ node: UnsafePointer<SchemaNode>, _ span: JSONCursor.StringSpan, end: UnsafePointer<UInt8>
    ) -> Bool {
        if !node.pointee.string.exists, node.pointee.values.isEmpty { return true }
        if span.hasEscapes {
            return Unescape.withBytes(span.buffer) { text in
                check(node, text, end: text.baseAddress.unsafelyUnwrapped + text.count, isASCII: false)
            }
        }
        return check(node, span.buffer, end: end, isASCII: span.isASCII)
    }

    @inline(__always)
    private mutating func check(
        _ node: UnsafePointer<SchemaNode>, _ text: UnsafeBufferPointer<UInt8>, end: UnsafePointer<UInt8>,
        isASCII: Bool
    ) -> Bool {
        for index in node.pointee.values.indices {
            let table = program.values.base[index].strings
            guard table.exists, let start = text.baseAddress,
                program.names.base[Int(table)].find(start, text.count, end: end) >= 0
            else { return false }
        }
        guard node.pointee.string.exists else { return true }
        let rules = program.strings.base + Int(node.pointee.string)
        if rules.pointee.hasLengths {
            let length = Int64(isASCII ? text.count : StringCheck.scalars(text))
            guard length >= rules.pointee.minimumLength, length <= rules.pointee.maximumLength else { return false }
        }
        if let format = rules.pointee.format {
            tapeEvaluator.steps &-= format.steps(text.count)
            guard tapeEvaluator.steps >= 0, format.accepts(text) else { return false }
        }
        guard rules.pointee.pattern.exists else { return true }
        return tapeEvaluator.search(rules.pointee.pattern, in: text) == .found
    }

    @inline(__always)
    private mutating func number(_ node: UnsafePointer<SchemaNode>, _ span: JSONCursor.NumberSpan) -> Bool {
        let types = node.pointee.types
        if !types.contains(.number) {
            guard types.contains(.integer), span.isWhole || ExactNumber(span.buffer).isInteger else { return false }
        }
        if limits.text.isInteroperable, !InteroperableNumber.holds(span) { return false }
        for index in node.pointee.values.indices where !isAllowed(span, program.values.base[index]) { return false }
        guard node.pointee.number.exists else { return true }
        let rules = program.numbers.base + Int(node.pointee.number)
        guard let integer = span.integer, rules.pointee.divisor >= 0 else {
            // Most fractions are between two integers within the bounds.
            if let floor = span.floor, floor >= rules.pointee.low, floor < rules.pointee.high,
                !rules.pointee.multipleOf.exists
            {
                return true
            }
            return isWithin(rules, ExactNumber(span.buffer))
        }
        guard integer >= rules.pointee.low, integer <= rules.pointee.high else { return false }
        return rules.pointee.divisor == 0 || integer % rules.pointee.divisor == 0
    }

    @inline(never)
    private mutating func isWithin(_ rules: UnsafePointer<NumberRules>, _ number: ExactNumber) -> Bool {
        let rules = rules.pointee
        var isWithin = true
        program.forEachBrokenBound(of: rules, number) { _, _, _ in isWithin = false }
        guard isWithin else { return false }
        guard rules.multipleOf.exists else { return true }
        let divisor = program.divisors[Int(rules.multipleOf)]
        tapeEvaluator.steps &-= divisor.steps(number)
        return tapeEvaluator.steps >= 0 && divisor.divides(number)
    }

    private mutating func isAllowed(_ span: JSONCursor.NumberSpan, _ rules: ValueRules) -> Bool {
        tapeEvaluator.steps &-= Int(rules.numbers.count) >> 2
        guard tapeEvaluator.steps >= 0 else { return false }
        for index in rules.numbers.indices {
            let constant = program.constants.base + index
            if let integer = span.integer, constant.pointee.isInteger {
                if integer == constant.pointee.integer { return true }
            } else if ExactNumber(span.buffer).compare(program.exactNumber(ProgramIndex(index))) == 0 {
                return true
            }
        }
        return false
    }
}
