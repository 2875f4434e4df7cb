extension ProgramBuilder {
    mutating func addTypes(_ schema: SchemaUnderWork) throws(SchemaError) {
        guard let value = schema[.type] else { return }
        let names = value.kind == .array ? value.elements : [value]
        var types: JSONKind = []
        for name in names {
            guard let text = name.string, let kind = JSONKind(name: text) else {
                throw schema.issue(name, "type must be null, boolean, object, array, number, string or integer")
            }
            types.formUnion(kind)
        }
        parts.nodes[schema.number].types = types
    }

    mutating func addValues(_ schema: SchemaUnderWork) throws(SchemaError) {
        var rules: [ValueRules] = []
        if let value = schema[.enum] {
            guard value.kind == .array else { throw schema.issue(value, "enum must be an array") }
            rules.append(valueRules(value.elements, schema))
        }
        if let value = schema[.const] {
            var rule = valueRules([value], schema)
            rule.isConstant = true
            rules.append(rule)
        }
        parts.nodes[schema.number].values = ProgramRange(
            start: Int32(parts.values.count), count: Int32(rules.count))
        parts.values += rules
    }

    private mutating func valueRules(_ values: [JSONDocument.Value], _ schema: SchemaUnderWork) -> ValueRules {
        var rules = ValueRules()
        var strings: [(name: [UInt8], node: ProgramIndex)] = []
        for value in values {
            switch value.kind {
            case .null: rules.allowsNull = true
            case .boolean:
                if value.boolean == true { rules.allowsTrue = true } else { rules.allowsFalse = true }
            case .string: strings.append((value.utf8 ?? [], .none))
            default: break
            }
        }
        if !strings.isEmpty { rules.strings = table(strings) }
        rules.numbers = constants(values.filter { $0.kind == .number }, schema)
        rules.composites = constants(values.filter { $0.kind == .array || $0.kind == .object }, schema)
        return rules
    }

    private mutating func constants(_ values: [JSONDocument.Value], _ schema: SchemaUnderWork) -> ProgramRange {
        let start = Int32(parts.constants.count)
        for value in values { _ = constant(value, in: schema) }
        return ProgramRange(start: start, count: Int32(values.count))
    }

    mutating func table(_ names: [(name: [UInt8], node: ProgramIndex)]) -> ProgramIndex {
        parts.nameTables.append(NameTableMemory(names))
        return ProgramIndex(parts.nameTables.count - 1)
    }

    mutating func addNumber(_ schema: SchemaUnderWork) throws(SchemaError) {
        var rules = NumberRules()
        func bound(_ keyword: SchemaKeyword) throws(SchemaError) -> JSONDocument.Value? {
            guard let value = schema[keyword] else { return nil }
            guard value.kind == .number else { throw schema.issue(value, "\(keyword.rawValue) must be a number") }
            return value
        }
        if let value = try bound(.minimum) {
            rules.minimum = constant(value, in: schema)
            rules.low = max(rules.low, IntegerBound.smallest(atLeast: value))
        }
        if let value = try bound(.exclusiveMinimum) {
            rules.exclusiveMinimum = constant(value, in: schema)
            rules.low = max(rules.low, IntegerBound.smallest(above: value))
        }
        if let value = try bound(.maximum) {
            rules.maximum = constant(value, in: schema)
            rules.high = min(rules.high, IntegerBound.largest(atMost: value))
        }
        if let value = try bound(.exclusiveMaximum) {
            rules.exclusiveMaximum = constant(value, in: schema)
            rules.high = min(rules.high, IntegerBound.largest(below: value))
        }
        if let value = try bound(.multipleOf) {
            guard value.source.count <= 1000 else {
                throw schema.issue(value, "multipleOf has more than 1,000 digits", code: .tooLarge)
            }
            let divisor: Divisor? = value.document.withTape { tape in
                let number = ExactNumber(tape.bytes(tape[value.index]))
                return number.isZero || number.isNegative ? nil : Divisor(number)
            }
            guard let divisor else { throw schema.issue(value, "multipleOf must be greater than 0") }
            rules.multipleOf = ProgramIndex(parts.divisors.count)
            rules.multipleOfText = constant(value, in: schema)
            rules.divisor = divisor.integer ?? -1
            parts.divisors.append(divisor)
        }
        parts.nodes[schema.number].number = ProgramIndex(parts.numbers.count)
        parts.numbers.append(rules)
    }
}

/// The bounds of numbers, computed for integers of at most 18 digits.
enum IntegerBound {
    static func smallest(atLeast value: JSONDocument.Value) -> Int64 {
        let (floor, isExact, sign) = floor(value)
        guard let floor else { return sign < 0 ? .min : .max }
        return isExact ? floor : floor + 1
    }

    static func smallest(above value: JSONDocument.Value) -> Int64 {
        let (floor, _, sign) = floor(value)
        guard let floor else { return sign < 0 ? .min : .max }
        return floor + 1
    }

    static func largest(atMost value: JSONDocument.Value) -> Int64 {
        let (floor, _, sign) = floor(value)
        guard let floor else { return sign < 0 ? .min : .max }
        return floor
    }

    static func largest(below value: JSONDocument.Value) -> Int64 {
        let (floor, isExact, sign) = floor(value)
        guard let floor else { return sign < 0 ? .min : .max }
        return isExact ? floor - 1 : floor
    }

    /// Returns the largest integer that is not greater, and whether it is equal; nil beyond 18 digits.
    private static func floor(_ value: JSONDocument.Value) -> (floor: Int64?, isExact: Bool, sign: Int) {
        value.document.withTape { tape in
            let number = ExactNumber(tape.bytes(tape[value.index]))
            let sign = number.isZero ? 0 : number.isNegative ? -1 : 1
            if number.isInteger { return (number.integer, true, sign) }
            guard number.highest < 18 else { return (nil, false, sign) }
            var whole: Int64 = 0
            var left = number.highest + 1
            number.forEachDigit { digit in
                if left > 0 { whole = whole * 10 + Int64(digit) }
                left -= 1
            }
            return (number.isNegative ? -whole - 1 : whole, false, sign)
        }
    }
}
