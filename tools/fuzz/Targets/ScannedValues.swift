internal import EventModel
internal import EventQuery
internal import JSONLines

/// Compares the values that paths lead to in a line with those of the parser.
enum ScannedValues {
    /// How many values of a line are compared, and how deep.
    private static let maximumCount = 40
    private static let maximumDepth = 6

    /// - Throws: ``FuzzIssue`` if a path leads to another value than the tree has there.
    static func check(_ line: EventLine, _ tree: JSONValue) throws {
        var left = maximumCount
        try walk(tree, at: "", line, &left)
    }

    private static func walk(_ value: JSONValue, at path: String, _ line: EventLine, _ left: inout Int) throws {
        if !path.isEmpty {
            left -= 1
            try compare(value, at: path, line)
        }
        guard left > 0, path.utf8.count { $0 == UInt8(ascii: ".") } < maximumDepth else { return }
        switch value {
        case .object(let members):
            for (name, value) in members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
            where left > 0 { try walk(value, at: "\(path).\"\(escaped(name))\"", line, &left) }
        case .array(let elements) where !path.isEmpty:
            for (number, value) in elements.enumerated().prefix(4) where left > 0 {
                try walk(value, at: "\(path)[\(number)]", line, &left)
            }
        default: break
        }
    }

    private static func compare(_ value: JSONValue, at path: String, _ line: EventLine) throws {
        let found = line.value(at: try EventPath(path))
        let isSame =
            switch (found, value) {
            case (.text(let text), .string(let string)): EventLine.text(Array(text)) == string
            case (.number(let digits), .integer), (.number(let digits), .number): try JSONParser.parse(digits) == value
            case (.nested(let bytes), .array), (.nested(let bytes), .object): try JSONParser.parse(bytes) == value
            case (.bool(let bool), .bool(let other)): bool == other
            case (.null, .null): true
            default: false
            }
        try require(isSame, "a path leads to another value: \(path)")
    }

    /// A name between quotes, in ASCII.
    private static func escaped(_ name: String) -> String {
        name.utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
