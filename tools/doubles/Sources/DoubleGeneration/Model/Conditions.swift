internal import SwiftSyntax

/// The `#if` conditions that a declaration stands in, from the outermost.
struct Conditions: Hashable, Sendable {
    private(set) var parts: [String] = []

    /// The text after `#if`; nil if there is no condition.
    var text: String? {
        guard parts.count != 1 else { return parts[0] }
        return parts.isEmpty ? nil : parts.map(Self.part).joined(separator: " && ")
    }

    /// Whether what stands in other conditions may be absent wherever this is present.
    func mayExclude(_ other: Conditions) -> Bool { !parts.isEmpty && !other.parts.isEmpty && self != other }

    /// Puts a declaration into `#if`, unless there is no condition.
    func wrap(_ code: String) -> String { text.map { "#if \($0)\n\(code)\n#endif" } ?? code }

    /// The conditions within each clause of an `#if` in these.
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

    /// In parentheses where the text is more than one word or call.
    private static func part(_ text: String, always: Bool) -> String {
        always || text.contains("||") ? "(\(text))" : text
    }
}
