extension StreamEvaluator {
    mutating func array(
        _ node: UnsafePointer<SchemaNode>, _ cursor: inout JSONCursor, depth: Int
    ) throws(JSONSyntaxError) -> Bool {
        var rules = ArrayRules()
        if node.pointee.array.exists { rules = program.arrays.base[Int(node.pointee.array)] }
        cursor.at += 1
        var count: Int64 = 0
        if cursor.peek() == UInt8(ascii: "]") {
            cursor.at += 1
        } else {
            while true {
                let schema =
                    count < rules.prefix.count
                    ? program.lists.base[Int(rules.prefix.start) + Int(count)] : rules.items
                guard schema.exists ? value(schema, &cursor, depth: depth) : skip(&cursor, depth: depth) else {
                    return false
                }
                count += 1
                let next = cursor.peek()
                cursor.at += 1
                if next == UInt8(ascii: "]") { break }
                guard next == UInt8(ascii: ",") else { return false }
            }
        }
        return count >= rules.minimumItems && count <= rules.maximumItems
    }

    mutating func object(
        _ node: UnsafePointer<SchemaNode>, _ cursor: inout JSONCursor, depth: Int
    ) throws(JSONSyntaxError) -> Bool {
        guard node.pointee.object.exists else { return skip(&cursor, depth: depth + 1) }
        let rules = program.objects.base + Int(node.pointee.object)
        let names = program.names.base + Int(rules.pointee.names)
        let start = cursor.at
        let capturesHere = capturesAny && depth == limits.text.maximumDepth - 1
        cursor.at += 1
        var seen: UInt64 = 0
        var count: Int64 = 0
        var unknown = 0
        var hint = 0
        if cursor.peek() == UInt8(ascii: "}") {
            cursor.at += 1
        } else {
            while true {
                guard cursor.peek() == UInt8(ascii: "\"") else { return false }
                let name = try cursor.string()
                // Escaped names are rare and need a second comparison: leave them to the tape evaluator.
                guard !name.hasEscapes, cursor.peek() == UInt8(ascii: ":") else { return false }
                cursor.at += 1
                let slot = names.pointee.find(name.start, name.count, end: cursor.end, hint: hint)
                let first = cursor.at
                if slot >= 0 {
                    let bit: UInt64 = 1 << UInt64(slot)
                    // A duplicate name is left to the tape evaluator.
                    guard seen & bit == 0 else { return false }
                    seen |= bit
                    hint = slot + 1
                } else {
                    unknown += 1
                }
                let schema = slot >= 0 ? names.pointee.entries[slot].node : .none
                guard try member(rules, schema: schema, name: name, cursor: &cursor, depth: depth) else { return false }
                if capturesHere, slot >= 0 { capture(slot, from: first, &cursor) }
                count += 1
                let next = cursor.peek()
                cursor.at += 1
                if next == UInt8(ascii: "}") { break }
                guard next == UInt8(ascii: ",") else { return false }
            }
        }
        guard seen & rules.pointee.requiredMask == rules.pointee.requiredMask,
            count >= rules.pointee.minimumProperties, count <= rules.pointee.maximumProperties
        else { return false }
        for index in rules.pointee.dependentRequired.indices {
            let entry = program.nameDependencies.base[index]
            if seen >> UInt64(entry.slot) & 1 == 1, seen >> UInt64(entry.needed) & 1 == 0 { return false }
        }
        return unknown < 2 || !limits.text.isInteroperable || hasUniqueNames(start, cursor)
    }

    @inline(__always)
    private mutating func member(
        _ rules: UnsafePointer<ObjectRules>, schema: ProgramIndex, name: JSONCursor.StringSpan,
        cursor: inout JSONCursor, depth: Int
    ) throws(JSONSyntaxError) -> Bool {
        if rules.pointee.patterns.isEmpty {
            if schema.exists { return value(schema, &cursor, depth: depth) }
            let additional = rules.pointee.additional
            return additional.exists ? value(additional, &cursor, depth: depth) : skip(&cursor, depth: depth)
        }
        return patternMember(rules, schema: schema, name: name, cursor: &cursor, depth: depth)
    }

    /// Checks a member that patterns may match: its value is checked once for each matching schema.
    private mutating func patternMember(
        _ rules: UnsafePointer<ObjectRules>, schema: ProgramIndex, name: JSONCursor.StringSpan,
        cursor: inout JSONCursor, depth: Int
    ) -> Bool {
        let start = cursor.at
        var isEvaluated = schema.exists
        if isEvaluated, !value(schema, &cursor, depth: depth) { return false }
        for index in rules.pointee.patterns.indices {
            let entry = program.patternProperties.base[index]
            let outcome = tapeEvaluator.search(entry.pattern, in: name.buffer)
            if outcome == .notFound { continue }
            guard outcome == .found else { return false }
            if isEvaluated {
                // The bytes are read again, which costs steps.
                tapeEvaluator.steps &-= (cursor.at - start) >> 6
                cursor.at = start
            }
            isEvaluated = true
            guard value(entry.node, &cursor, depth: depth) else { return false }
        }
        guard !isEvaluated else { return true }
        let additional = rules.pointee.additional
        return additional.exists ? value(additional, &cursor, depth: depth) : skip(&cursor, depth: depth)
    }

    private mutating func capture(_ slot: Int, from first: UnsafePointer<UInt8>, _ cursor: inout JSONCursor) {
        for index in program.captureSlots.indices where program.captureSlots[index] == slot {
            var value = JSONCursor(UnsafeBufferPointer(start: cursor.start, count: cursor.end - cursor.start))
            value.at = first
            _ = value.peek()
            captured[index] = value.offset..<cursor.offset
        }
    }

    /// Reads an object a second time, to find duplicate names.
    @inline(never)
    private mutating func hasUniqueNames(_ start: UnsafePointer<UInt8>, _ cursor: JSONCursor) -> Bool {
        tapeEvaluator.steps &-= (cursor.at - start) >> 6
        guard tapeEvaluator.steps >= 0 else { return false }
        var again = cursor
        again.at = start
        do throws(JSONSyntaxError) { try readTape(&again, depth: limits.text.maximumDepth) } catch { return false }
        return true
    }
}
