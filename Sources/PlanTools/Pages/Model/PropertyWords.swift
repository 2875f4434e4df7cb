internal import JSONSchema

/// Says keywords in words.
enum PropertyWords {
    /// `string`, `uuid`, `array of strings`, `integer or null`.
    static func type(_ description: Description) -> String {
        let types = description.types.map { type in
            switch type {
            case "string": description["format"]?.string ?? type
            case "array": description.elementDescription.map { "array of \(Self.type($0))s" } ?? type
            default: type
            }
        }
        guard types.isEmpty else { return types.joined(separator: " or ") }
        var kinds: [String] = []
        for value in listed(description) where !kinds.contains(name(of: value)) { kinds.append(name(of: value)) }
        return kinds.isEmpty ? "any" : kinds.joined(separator: " or ")
    }

    /// The values of `const` and `enum`, as JSON.
    static func allowed(_ description: Description) -> [String] {
        listed(description).map { JSONPrinter.line($0) }
    }

    private static func listed(_ description: Description) -> [JSONDocument.Value] {
        description["const"].map { [$0] } ?? description["enum"]?.elements ?? []
    }

    private static func name(of value: JSONDocument.Value) -> String {
        switch value.kind {
        case .null: "null"
        case .boolean: "boolean"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        default: value.integer == nil ? "number" : "integer"
        }
    }

    /// The limits, each in a few words.
    static func limits(_ description: Description) -> [String] {
        var found: [String] = []
        if let text = range(description["minimum"], description["maximum"]) { found.append(text) }
        if let limit = description["exclusiveMinimum"] { found.append("more than \(number(limit))") }
        if let limit = description["exclusiveMaximum"] { found.append("less than \(number(limit))") }
        if let step = description["multipleOf"] { found.append("a multiple of \(number(step))") }
        for (low, high, noun) in [
            ("minLength", "maxLength", "character"), ("minItems", "maxItems", "element"),
            ("minProperties", "maxProperties", "member"),
        ] {
            guard let text = range(description[low], description[high]) else { continue }
            let isOne = (description[high] ?? description[low])?.integer == 1
            found.append("\(text) \(noun)\(isOne ? "" : "s")")
        }
        if description["uniqueItems"]?.boolean == true { found.append("no element twice") }
        return found
    }

    private static func range(_ low: JSONDocument.Value?, _ high: JSONDocument.Value?) -> String? {
        switch (low, high) {
        case (let low?, let high?):
            number(low) == number(high) ? "exactly \(number(low))" : "\(number(low)) to \(number(high))"
        case (let low?, nil): "at least \(number(low))"
        case (nil, let high?): "at most \(number(high))"
        case (nil, nil): nil
        }
    }

    private static func number(_ value: JSONDocument.Value) -> String {
        guard let integer = value.integer else { return value.number ?? "" }
        let edge = (1 << 53) - 1
        if abs(integer) == edge { return integer < 0 ? "−(2⁵³ − 1)" : "2⁵³ − 1" }
        var text = ""
        for (index, digit) in "\(integer.magnitude)".reversed().enumerated() {
            if index > 0 && index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (integer < 0 ? "−" : "") + String(text.reversed())
    }
}
