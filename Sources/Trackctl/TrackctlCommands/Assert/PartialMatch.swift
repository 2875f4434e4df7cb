internal import JSONLines

/// JSON that a line must contain: of an object the members that are named, of an array every element in its place, of
/// anything else an equal value. Numbers are compared by value: 1 is 1.0.
struct PartialMatch {
    let pattern: JSONValue

    /// Whether a line contains it.
    func holds(_ line: JSONValue) -> Bool { Self.contains(line, pattern) }

    private static func contains(_ value: JSONValue, _ pattern: JSONValue) -> Bool {
        switch (value, pattern) {
        case (.object, .object(let members)):
            members.allSatisfy { name, part in value[name].map { contains($0, part) } ?? false }
        case (.array(let elements), .array(let parts)):
            elements.count == parts.count && zip(elements, parts).allSatisfy { contains($0, $1) }
        case (.integer(let whole), .number(let double)), (.number(let double), .integer(let whole)):
            Double(whole) == double
        default: value == pattern
        }
    }
}
