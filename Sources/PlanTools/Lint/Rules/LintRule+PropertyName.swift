internal import JSONSchema

extension LintRule {
    static let propertyName = LintRule(
        "property-name", "Names of properties are snake_case",
        why: "A line is read by people, SQL and many languages; one form for all names spares each of them a table of "
            + "exceptions.",
        good: .property(#""user_info": {"type": "boolean", "description": "Whether something came with it."}"#),
        bad: .property(#""userInfo": {"type": "boolean", "description": "Whether something came with it."}"#)
    ) { node, _ in
        guard case .property(let name) = node.role, !isSnakeCase(name) else { return [] }
        return [LintFault(node, "rename \(name): a-z, 0-9 and single _ between, a letter first, at most 64 bytes")]
    }

    private static func isSnakeCase(_ name: String) -> Bool {
        let words = name.utf8.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        let isPlain = words.allSatisfy { word in
            !word.isEmpty
                && word.allSatisfy {
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                }
        }
        return isPlain && name.first?.isNumber == false && name.utf8.count <= 64
    }
}
