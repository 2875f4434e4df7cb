internal import SwiftSyntax

/// The comment that requests a double for a protocol: `// tracking:double`, with an optional name.
package struct Mark: Sendable {
    /// The text of the comment.
    package static let text = "tracking:double"

    /// The name of the double; nil for the protocol's name followed by `Double`.
    var name: String? { rest.first }

    /// The words after the mark.
    private let rest: [String]

    /// The mark in the comments above a declaration; nil if there is none.
    init?(above declaration: some SyntaxProtocol) {
        let words = declaration.leadingTrivia.pieces.lazy.compactMap(Self.words).last
        guard let words else { return nil }
        rest = words.dropFirst().map(String.init)
    }

    /// The error in the name; nil if there is none.
    ///
    /// - Parameter protocolName: The name of the protocol below the mark.
    func issue(above protocolName: String) -> String? {
        guard let name else { return nil }
        guard rest.count == 1, Reserved.isTypeName(name) else {
            return "invalid name of a type `\(rest.joined(separator: " "))`; write `// \(Self.text) NAME`, or no name"
        }
        return name == protocolName
            ? "\(name) is the protocol's own name; write another name after `\(Self.text)`, or none" : nil
    }

    /// The positions of marks in a file.
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
