internal import SwiftSyntax

/// The comment above a protocol that asks for a double: `// tracking:double`, and a name if it is to have another.
package struct Mark: Sendable {
    /// What the comment says.
    package static let text = "tracking:double"

    /// The name that the double is to have; nil for the protocol's with `Double` behind it.
    var name: String? { rest.first }

    /// The words behind the mark.
    private let rest: [String]

    /// The mark in the comments above a declaration; nil if there is none.
    init?(above declaration: some SyntaxProtocol) {
        let words = declaration.leadingTrivia.pieces.lazy.compactMap(Self.words).last
        guard let words else { return nil }
        rest = words.dropFirst().map(String.init)
    }

    /// What is wrong with the name; nil if nothing is.
    ///
    /// - Parameter protocolName: The name of the protocol below the mark.
    func issue(above protocolName: String) -> String? {
        guard let name else { return nil }
        guard rest.count == 1, Reserved.isTypeName(name) else {
            return "`\(rest.joined(separator: " "))` is no name of a type: write `// \(Self.text) NAME`, or no name"
        }
        return name == protocolName
            ? "\(name) is the protocol's own name: write another behind `\(Self.text)`, or none" : nil
    }

    /// Where marks stand in a file.
    static func positions(in tree: some SyntaxProtocol) -> [AbsolutePosition] {
        var positions: [AbsolutePosition] = []
        for token in tree.tokens(viewMode: .sourceAccurate) {
            var position = token.position
            for piece in token.leadingTrivia.pieces {
                if words(of: piece) != nil { positions.append(position) }
                position += piece.sourceLength
            }
            position = token.endPositionBeforeTrailingTrivia
            for piece in token.trailingTrivia.pieces {
                if words(of: piece) != nil { positions.append(position) }
                position += piece.sourceLength
            }
        }
        return positions
    }

    private static func words(of piece: TriviaPiece) -> [Substring]? {
        switch piece {
        case .lineComment(let comment), .docLineComment(let comment):
            let words = comment.drop { $0 == "/" }.split(whereSeparator: \.isWhitespace)
            return words.first == text[...] ? words : nil
        default: return nil
        }
    }
}
