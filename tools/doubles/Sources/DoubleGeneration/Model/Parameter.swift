internal import SwiftSyntax

/// A parameter of a member: its declaration in the double, and its recorded value.
struct Parameter {
    /// The declaration in the double: `for request: URLRequest`.
    let declared: String
    /// The argument label; nil for `_`.
    let label: String?
    /// The name in the double's code.
    let name: String
    /// The recorded type.
    let type: String
    /// The expression for the recorded value.
    let value: String
    /// Whether the member may change it.
    let isInout: Bool
    /// Whether the parameter is a non-escaping closure.
    let isNonescaping: Bool

    /// - Throws: ``SourceIssue`` for a parameter that cannot be recorded.
    init(
        _ syntax: FunctionParameterSyntax, number: Int, isSubscript: Bool, eraser: TypeEraser, location: SourcePosition
    ) throws(SourceIssue) {
        let first = syntax.firstName.text
        let given = syntax.secondName?.text ?? first
        // A parameter called `self` would shadow the double, and `.self` of a tuple is the tuple itself.
        let isRenamed = ["_", "self", "Self"].contains(SourceText.bare(given))
        name = isRenamed ? "argument\(number)" : Reserved.quoted(given)
        label = first == "_" || isSubscript && syntax.secondName == nil ? nil : first
        let names = syntax.secondName == nil && !isRenamed ? first : "\(label ?? "_") \(name)"
        declared = "\(names): \(SourceText.plain(syntax.type))\(syntax.ellipsis == nil ? "" : "...")"

        guard !TypeEraser.isSuppressing(syntax.type) else { throw TypeEraser.uncopied(location) }

        var inner = syntax.type
        var words: Set<String> = []
        if let attributed = inner.as(AttributedTypeSyntax.self) {
            words = Set(
                attributed.specifiers.map(SourceText.plain) + attributed.attributes.map(SourceText.plain)
                    + attributed.lateSpecifiers.map(SourceText.plain))
            // `@Sendable` and similar attributes are part of the type; those of the parameter are not.
            let rest = attributed.attributes.filter { !["@escaping", "@autoclosure"].contains(SourceText.plain($0)) }
            inner =
                rest.isEmpty
                ? attributed.baseType
                : TypeSyntax(
                    attributed.with(\.specifiers, []).with(\.lateSpecifiers, []).with(\.attributes, rest))
        }
        isInout = words.contains("inout")
        let function = Self.function(inner)
        if words.contains("@autoclosure"), let function {
            guard function.effectSpecifiers == nil else {
                throw SourceIssue(
                    location, "\(name) is an autoclosure that is async or throws; use a closure or a value")
            }
            isNonescaping = false
            type = eraser.erased(function.returnClause.type)
            value = "\(name)()"
            return
        }
        isNonescaping =
            function != nil && !isInout && !words.contains("@escaping") && syntax.ellipsis == nil
        let recorded = eraser.erased(inner)
        if isNonescaping {
            guard recorded != "Any" else {
                throw SourceIssue(
                    location, "\(name) is a non-escaping closure of a generic type; mark it @escaping")
            }
            type = "NonescapingClosure<\(recorded)>"
        } else {
            type = syntax.ellipsis == nil ? recorded : "[\(recorded)]"
        }
        if isInout, eraser.mentions(inner) {
            throw SourceIssue(
                location, "\(name) is inout and generic, which is not supported; write this double by hand")
        }
        let isOwned = words.contains("borrowing") || words.contains("consuming")
        value = isNonescaping ? "\(SourceText.bare(name))Closure" : isOwned ? "copy \(name)" : name
    }

    private static func function(_ type: TypeSyntax) -> FunctionTypeSyntax? {
        switch type.as(TypeSyntaxEnum.self) {
        case .functionType(let function): return function
        case .attributedType(let type): return function(type.baseType)
        case .tupleType(let tuple) where tuple.elements.count == 1 && tuple.elements.first?.firstName == nil:
            return tuple.elements.first.flatMap { function($0.type) }
        default: return nil
        }
    }
}

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
