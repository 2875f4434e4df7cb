/// Derives Swift names from names in a plan.
package enum SwiftName {
    /// Returns `orderId` for `order_id`, and `orderID` for `id`, `url`, `uuid` and their plurals after another word;
    /// nil if no name can be derived: the text must start with a letter and be ASCII.
    package static func member(_ text: String) -> String? {
        let words = words(text)
        guard let first = words.first, startsWithLetter(first) else { return nil }
        let isShouted = !first.contains { $0.isLowercase }
        let start = isShouted ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        return start + words.dropFirst().map(capitalized).joined()
    }

    /// Returns `OrderID` for `order_id` and `order-id`; nil if no name can be derived.
    package static func type(_ text: String) -> String? {
        let words = words(text)
        guard let first = words.first, startsWithLetter(first) else { return nil }
        return words.map(capitalized).joined()
    }

    /// Returns the singular of a name: `Item` for `items`, `Category` for `categories`.
    package static func element(_ text: String) -> String? {
        guard let name = type(text) else { return nil }
        if name.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
        if name.hasSuffix("s"), !name.hasSuffix("ss"), name.count > 2 { return String(name.dropLast()) }
        return name + "Element"
    }

    /// Returns whether a name in an annotation is a Swift identifier, except for keywords.
    package static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first == "_" || isLetter(first), name != "_" else { return false }
        return name.unicodeScalars.allSatisfy { $0 == "_" || isLetter($0) || ("0"..."9").contains($0) }
    }

    /// Returns whether a type may have a name. Types start with a capital letter, so they never collide with members.
    package static func isType(_ name: String) -> Bool {
        name.unicodeScalars.first.map { ("A"..."Z").contains($0) } ?? false
    }

    /// Returns whether a property, case or factory may have a name, except for keywords.
    package static func isMember(_ name: String) -> Bool { !isType(name) && !unusable.contains(name) }

    /// Returns a name for a declaration or expression, with backticks around keywords.
    package static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// Returns a name for an argument label, where only `inout` needs backticks.
    package static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

    /// The names that are reserved even in backticks.
    package static let unusable: Set<String> = ["self", "Self", "init", "Type", "Protocol"]

    /// The names of types that generated code uses.
    package static let usedTypes: Set<String> = [
        "Any", "Array", "Bool", "CodingKey", "CodingKeys", "Double", "Encodable", "Encoder", "Equatable", "EventLimits",
        "EventPriority", "Hashable", "Int", "Int64", "JSONValue", "JSONWriter", "Never", "Optional", "Protocol",
        "Purpose", "Redaction", "SchemaVersion", "Self", "Sendable", "String", "TextPattern", "TrackingEvent",
        "TrackingEventError", "TrackingPage", "Type", "CaseIterable",
    ]

    /// The members that every generated struct has.
    package static let usedMembers: Set<String> = ["validate", "hashValue"]

    private static let keywords: Set<String> = [
        "Any", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue", "default", "defer",
        "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard",
        "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super",
        "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    private static let shouted: [String: String] = [
        "id": "ID", "ids": "IDs", "url": "URL", "urls": "URLs", "uuid": "UUID", "uuids": "UUIDs",
    ]

    private static func capitalized(_ word: String) -> String {
        shouted[word] ?? word.prefix(1).uppercased() + word.dropFirst()
    }

    /// Returns the runs of ASCII letters and digits; none if the text has other letters, which would be lost.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            if isLetter(scalar) || ("0"..."9").contains(scalar) {
                word.unicodeScalars.append(scalar)
            } else if " _-./".unicodeScalars.contains(scalar) {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                return []
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    private static func startsWithLetter(_ word: String) -> Bool { word.unicodeScalars.first.map(isLetter) ?? false }
}
