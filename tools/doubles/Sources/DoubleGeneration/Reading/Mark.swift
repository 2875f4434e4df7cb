internal import SwiftSyntax

/// The comment above a protocol that asks for a double: `// tracking:double`, and a name if it is to have another.
package struct Mark: Sendable {
    /// What the comment says.
    package static let text = "tracking:double"

    /// The name that the double is to have; nil for the protocol's with `Double` behind it.
    let name: String?

    /// The mark in the comments above a declaration; nil if there is none.
    init?(above declaration: some SyntaxProtocol) {
        let words = declaration.leadingTrivia.pieces.lazy.compactMap(Self.words).last
        guard let words else { return nil }
        name = words.dropFirst().first.map(String.init)
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
