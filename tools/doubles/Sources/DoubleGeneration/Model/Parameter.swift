internal import SwiftSyntax

/// A parameter of a member: how the double declares it, and how its calls record it.
struct Parameter {
    /// As the double declares it: `for request: URLRequest`.
    let declared: String
    /// What a call says before its argument; nil for `_`.
    let label: String?
    /// What the double's code calls it.
    let name: String
    /// The type that calls record.
    let type: String
    /// What the code hands to the record.
    let value: String
    /// Whether the member may change it.
    let isInout: Bool
    /// Whether it is a closure for the time of the call only.
    let isNonescaping: Bool

    /// - Throws: ``SourceIssue`` for what cannot be recorded.
    init(
        _ syntax: FunctionParameterSyntax, number: Int, isSubscript: Bool, eraser: TypeEraser, location: SourcePosition
    ) throws(SourceIssue) {
        let first = syntax.firstName.text
        let given = syntax.secondName?.text ?? first
        // Named `self`, an argument would hide the double, and be what a tuple with it is itself.
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
            // `@Sendable` and the like stay with the type; what is said of the parameter does not.
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
                    location, "\(name) is an autoclosure that is async or throws: take a closure instead, or its value")
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
                    location, "\(name) is a closure of a generic type that does not escape: mark it @escaping")
            }
            type = "NonescapingClosure<\(recorded)>"
        } else {
            type = syntax.ellipsis == nil ? recorded : "[\(recorded)]"
        }
        if isInout, eraser.mentions(inner) {
            throw SourceIssue(
                location, "\(name) is inout and generic, which cannot be recorded: write this double by hand")
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
