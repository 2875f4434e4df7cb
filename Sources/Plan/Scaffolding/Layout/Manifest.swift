/// What the text of a `Package.swift` says about targets. It is read, not run: no toolchain is needed, and what is computed
/// there is not seen.
struct Manifest {
    /// The targets that may hold an app, and those of tests, in their order.
    let targets: [ManifestTarget]

    private static let kinds: Set = ["target", "executableTarget", "testTarget"]

    /// Reads the text.
    init(_ source: [UInt8]) {
        let code = SwiftCode(source)
        targets = code.words().compactMap { word in
            guard Self.kinds.contains(word.text), word.start > 0, code.code[word.start - 1] == UInt8(ascii: "."),
                word.end < code.code.count, code.code[word.end] == UInt8(ascii: "("),
                let closing = code.closing(of: word.end)
            else { return nil }
            let arguments = word.end + 1..<closing
            // `.target(name:)` within `dependencies:` names a target, and declares none.
            guard let name = Self.string("name", code, arguments), code.depth(at: word.start) <= Self.depthOfTargets
            else { return nil }
            return ManifestTarget(
                name: name, isTest: word.text == "testTarget", path: Self.string("path", code, arguments),
                text: Self.withoutComments(code, arguments))
        }
    }

    /// `Package(targets: [` are two brackets.
    private static let depthOfTargets = 2

    /// The text behind a label of the outermost arguments; nil if it is not there, or no plain literal.
    private static func string(_ label: String, _ code: SwiftCode, _ arguments: Range<Int>) -> String? {
        let outer = code.depth(at: arguments.lowerBound)
        guard
            let word = code.words(in: arguments).first(where: { $0.text == label && code.depth(at: $0.start) == outer })
        else { return nil }
        let text = code.source[word.end..<arguments.upperBound].drop { $0 != UInt8(ascii: "\"") }
        let between = code.source[word.end..<text.startIndex]
        guard between.allSatisfy({ SwiftCode.isSpace($0) || $0 == UInt8(ascii: ":") }) else { return nil }
        let literal = text.dropFirst().prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        guard literal.endIndex < text.endIndex, text[literal.endIndex] == UInt8(ascii: "\"") else { return nil }
        return String(decoding: literal, as: UTF8.self)
    }

    /// The source of a range, lines that are comments left out.
    private static func withoutComments(_ code: SwiftCode, _ range: Range<Int>) -> String {
        let lines = String(decoding: code.source[range], as: UTF8.self).split(separator: "\n")
        return lines.filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }.joined(separator: "\n")
    }
}
