internal import JSONSchema

/// Says keywords in words.
enum PropertyWords {
    /// `string`, `uuid`, `array of strings`, `integer or null`.
    static func type(_ description: Description) -> String { type(description, seen: []) }

    /// - Parameter seen: The subschemas of the arrays around it: an array that holds itself has no other name.
    private static func type(_ description: Description, seen: Set<SchemaReferences.Place>) -> String {
        let types = description.types.map { type in
            switch type {
            case "string": description.certain("format").first?.string ?? type
            case "array": array(description, seen: seen)
            default: type
            }
        }
        return types.isEmpty ? "any" : types.joined(separator: " or ")
    }

    private static func array(_ description: Description, seen: Set<SchemaReferences.Place>) -> String {
        let places = description.places
        guard let element = description.elementDescription, seen.isDisjoint(with: places), seen.count < maximumPlaces
        else {
            return "array"
        }
        let inner = type(element, seen: seen.union(places))
        return inner.hasPrefix("array of ") ? "array of arrays\(inner.dropFirst(5))" : "array of \(inner)s"
    }

    /// Arrays within arrays are named only so far.
    private static let maximumPlaces = 16

    /// The type of a value.
    static func kind(of value: JSONDocument.Value) -> String {
        switch value.kind {
        case .null: "null"
        case .boolean: "boolean"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        default: value.integer == nil ? "number" : "integer"
        }
    }

    /// The limits that hold for every value, each in a few words; of several the strictest.
    static func limits(_ description: Description) -> [String] {
        func least(_ keyword: String) -> JSONDocument.Value? { description.certain(keyword).max(by: isLess) }
        func most(_ keyword: String) -> JSONDocument.Value? { description.certain(keyword).min(by: isLess) }
        var found: [String] = []
        if let text = range(least("minimum"), most("maximum")) { found.append(text) }
        if let limit = least("exclusiveMinimum") { found.append("more than \(number(limit))") }
        if let limit = most("exclusiveMaximum") { found.append("less than \(number(limit))") }
        for step in description.certain("multipleOf") { found.append("a multiple of \(number(step))") }
        for (low, high, noun) in [
            ("minLength", "maxLength", "character"), ("minItems", "maxItems", "element"),
            ("minProperties", "maxProperties", "member"),
        ] {
            guard let text = range(least(low), most(high)) else { continue }
            let isOne = (most(high) ?? least(low))?.integer == 1
            found.append("\(text) \(noun)\(isOne ? "" : "s")")
        }
        if description.certain("uniqueItems").contains(where: { $0.boolean == true }) {
            found.append("no element twice")
        }
        return found
    }

    private static func isLess(_ left: JSONDocument.Value, _ right: JSONDocument.Value) -> Bool {
        if let left = left.integer, let right = right.integer { return left < right }
        return (Double(left.number ?? "") ?? 0) < (Double(right.number ?? "") ?? 0)
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
        if integer.magnitude == UInt(edge) { return integer < 0 ? "−(2⁵³ − 1)" : "2⁵³ − 1" }
        var text = ""
        for (index, digit) in "\(integer.magnitude)".reversed().enumerated() {
            if index > 0 && index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (integer < 0 ? "−" : "") + String(text.reversed())
    }
}
