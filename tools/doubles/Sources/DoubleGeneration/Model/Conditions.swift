internal import SwiftSyntax

/// The `#if` conditions around a declaration, outermost first.
struct Conditions: Hashable, Sendable {
    private(set) var parts: [String] = []

    /// The text after `#if`; nil without a condition.
    var text: String? {
        guard parts.count != 1 else { return parts[0] }
        return parts.isEmpty ? nil : parts.map(Self.part).joined(separator: " && ")
    }

    /// Whether declarations in other conditions may be absent while this one is present.
    func mayExclude(_ other: Conditions) -> Bool { !parts.isEmpty && !other.parts.isEmpty && self != other }

    /// Wraps a declaration in `#if`, if there is a condition.
    func wrap(_ code: String) -> String { text.map { "#if \($0)\n\(code)\n#endif" } ?? code }

    /// The conditions in each clause of an `#if` that is nested in these conditions.
    func clauses(of directive: IfConfigDeclSyntax) -> [(Conditions, IfConfigClauseSyntax.Elements?)] {
        var refused: [String] = []
        return directive.clauses.map { clause in
            var inner = self
            inner.parts += refused.map { "!\(Self.part($0, always: true))" }
            if let condition = clause.condition {
                let text = SourceText.plain(condition)
                inner.parts.append(text)
                refused.append(text)
            }
            return (inner, clause.elements)
        }
    }

    private static func part(_ text: String) -> String { part(text, always: false) }

    /// Adds parentheses if the text is more than one word or call.
    private static func part(_ text: String, always: Bool) -> String {
        always || text.contains("||") ? "(\(text))" : text
    }
}
