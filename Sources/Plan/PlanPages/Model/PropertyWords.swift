internal import JSONSchema
internal import TrackingPlan

/// Describes keywords in words.
enum PropertyWords {
    /// Returns a type such as `string`, `uuid`, `array of strings`, `integer or null`.
    static func type(_ description: Description) -> String { type(description, seen: []) }

    /// - Parameter seen: The subschemas of the enclosing arrays, to stop at recursive arrays.
    private static func type(_ description: Description, seen: Set<Subschema>) -> String {
        let types = description.types.map { type in
            switch type {
            case "string": description.certain(.format).first?.string ?? type
            case "array": array(description, seen: seen)
            default: type
            }
        }
        return types.isEmpty ? "any" : types.joined(separator: " or ")
    }

    private static func array(_ description: Description, seen: Set<Subschema>) -> String {
        let locations = description.locations
        guard let element = description.elementDescription, seen.isDisjoint(with: locations),
            seen.count < maximumLocations
        else {
            return "array"
        }
        let inner = type(element, seen: seen.union(locations))
        return inner.hasPrefix("array of ") ? "array of arrays\(inner.dropFirst(5))" : "array of \(inner)s"
    }

    /// The limit for naming nested arrays.
    private static let maximumLocations = 16

    /// Returns the type of a value.
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

    /// Returns the limits that apply to every value as short phrases; of several limits the strictest.
    static func limits(_ description: Description) -> [String] {
        inOrder.flatMap { limit($0, description) }
            + PlanAnnotation.allCases.flatMap { note($0, description) }
    }

    /// The keywords in the order of a row: limits of numbers first, unlisted keywords last.
    private static let inOrder: [SchemaKeyword] = {
        let first: [SchemaKeyword] = [
            .minimum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf, .minLength, .minItems, .minProperties,
            .uniqueItems,
        ]
        return first + SchemaKeyword.allCases.filter { !first.contains($0) }
    }()

    /// Returns the phrases of a keyword. The switch has no `default`: a new limit needs a phrase.
    private static func limit(_ keyword: SchemaKeyword, _ description: Description) -> [String] {
        func least(_ keyword: SchemaKeyword) -> JSONDocument.Value? { description.certain(keyword).max(by: isLess) }
        func most(_ keyword: SchemaKeyword) -> JSONDocument.Value? { description.certain(keyword).min(by: isLess) }
        func count(low: JSONDocument.Value?, high: JSONDocument.Value?, noun: String) -> [String] {
            range(low, high).map { ["\($0) \(noun)\((high ?? low)?.integer == 1 ? "" : "s")"] } ?? []
        }
        switch keyword {
        case .minimum: return range(least(.minimum), most(.maximum)).map { [$0] } ?? []
        case .exclusiveMinimum: return least(keyword).map { ["more than \(number($0))"] } ?? []
        case .exclusiveMaximum: return most(keyword).map { ["less than \(number($0))"] } ?? []
        case .multipleOf: return description.certain(keyword).map { "a multiple of \(number($0))" }
        case .minLength: return count(low: least(.minLength), high: most(.maxLength), noun: "character")
        case .minItems: return count(low: least(.minItems), high: most(.maxItems), noun: "element")
        case .minProperties: return count(low: least(.minProperties), high: most(.maxProperties), noun: "member")
        case .uniqueItems:
            return description.certain(keyword).contains { $0.boolean == true } ? ["unique elements"] : []
        // Described together with the lower limit.
        case .maximum, .maxLength, .maxItems, .maxProperties: return []
        // In separate columns: type, values, pattern, requirement, description.
        case .type, .format, .enum, .const, .pattern, .required, .title, .description, .examples: return []
        // In separate rows, or described with the value itself.
        case .ref, .dynamicRef, .defs, .allOf, .anyOf, .oneOf, .not, .if, .then, .else, .dependentSchemas,
            .prefixItems, .items, .contains, .properties, .patternProperties, .additionalProperties, .propertyNames,
            .unevaluatedItems, .unevaluatedProperties:
            return []
        // Not shown: rare in plans, or only for tools.
        case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .comment, .maxContains, .minContains,
            .dependentRequired, .contentEncoding, .contentMediaType, .contentSchema, .default, .deprecated, .readOnly,
            .writeOnly:
            return []
        }
    }

    /// Returns the phrases of an annotation. The switch has no `default`: decide for each new annotation.
    private static func note(_ annotation: PlanAnnotation, _ description: Description) -> [String] {
        switch annotation {
        case .unit: description.certain(annotation).first?.string.map { ["in \($0)"] } ?? []
        // In separate columns.
        case .pii, .open: []
        // For the whole event, the history, the linter or Swift.
        case .priority, .purpose, .purposeJustification, .since, .lint, .swiftName, .swiftNames, .swiftType,
            .swiftLabel, .swiftFactory:
            []
        }
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
