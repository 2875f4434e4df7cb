internal import SwiftSyntax

/// Converts code to a single line without comments.
enum SourceText {
    /// The tokens of a piece of code, separated by a space where the code had white space.
    static func plain(_ node: some SyntaxProtocol) -> String {
        var text = ""
        var isApart = false
        for token in node.tokens(viewMode: .sourceAccurate) {
            let opens = text.last.map { "([<".contains($0) } ?? true
            if isApart || !token.leadingTrivia.isEmpty, !opens, !")],>".contains(token.text.prefix(1)) { text += " " }
            text += token.text
            isApart = !token.trailingTrivia.isEmpty
        }
        // A list over several lines may end in a comma, a single line may not.
        return text.replacing(",)", with: ")").replacing(",]", with: "]").replacing(",>", with: ">")
    }

    /// A name without its backticks.
    static func bare(_ name: String) -> String { name.replacing("`", with: "") }

    /// Replaces a name that is not preceded by a dot.
    static func replace(_ name: String, in code: String, with other: (_ isMemberFollowing: Bool) -> String?) -> String {
        var result = ""
        var rest = code[...]
        while let index = rest.firstRange(of: name) {
            let before = rest[..<index.lowerBound].last ?? result.last
            let after = rest[index.upperBound...].first
            result += rest[..<index.lowerBound]
            rest = rest[index.upperBound...]
            let isWord = !isPart(before) && before != "." && before != "`" && !isPart(after)
            guard isWord, let other = other(after == ".") else {
                result += name
                continue
            }
            result += other
            if other.isEmpty { rest = rest.dropFirst() }  // `Self.Item` becomes `Item`
        }
        return result + rest
    }

    private static func isPart(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
}
