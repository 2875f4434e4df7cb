/// Keywords, which need backticks to be names.
enum Reserved {
    private static let words: Set = [
        "Any", "Self", "_", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
        "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup",
        "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript",
        "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// A name in an expression or a tuple: `in` needs backticks there, though not as a parameter.
    static func quoted(_ name: String) -> String { words.contains(name) ? "`\(name)`" : name }

    /// Whether text can be the name of a type without backticks.
    static func isTypeName(_ name: some StringProtocol) -> Bool {
        guard let first = name.first, first.isLetter || first == "_" else { return false }
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            && !words.contains(String(name)) && !["Type", "Protocol"].contains(name)
    }
}
