/// The targets in the text of a `Package.swift`. The text is read without running it, so no toolchain is needed, but
/// computed values are unknown.
struct Manifest {
    /// The possible app and test targets, in the order of the text.
    let targets: [ManifestTarget]

    private static let kinds: Set = ["target", "executableTarget", "testTarget"]

    /// Reads the text of a manifest.
    init(_ source: [UInt8]) {
        let code = SwiftCode(source)
        targets = code.words().compactMap { word in
            guard Self.kinds.contains(word.text), word.start > 0, code.code[word.start - 1] == UInt8(ascii: "."),
                word.end < code.code.count, code.code[word.end] == UInt8(ascii: "("),
                let closing = code.closing(of: word.end)
            else { return nil }
            let arguments = word.end + 1..<closing
            // `.target(name:)` within `dependencies:` is a reference, not a declaration.
            guard case .texts(let names) = Self.argument("name", in: code, arguments: arguments),
                let name = names.first,
                code.depth(at: word.start) <= Self.depthOfTargets
            else { return nil }
            let path = Self.argument("path", in: code, arguments: arguments)
            let sources = Self.argument("sources", in: code, arguments: arguments)
            return ManifestTarget(
                name: name, isTest: word.text == "testTarget", path: path.texts?.first, sources: sources.texts,
                computed: [("path", path), ("sources", sources)].compactMap { $1 == .computed ? $0 : nil },
                text: Self.withoutComments(code, arguments))
        }
    }

    /// `Package(targets: [` opens two brackets.
    private static let depthOfTargets = 2

    private enum Argument: Equatable {
        case absent
        /// One literal, or the literals of a list.
        case texts([String])
        /// Any other expression, which is not evaluated.
        case computed

        var texts: [String]? { if case .texts(let texts) = self { texts } else { nil } }
    }

    /// Returns the top-level argument with a label.
    private static func argument(_ label: String, in code: SwiftCode, arguments: Range<Int>) -> Argument {
        let outer = code.depth(at: arguments.lowerBound)
        guard
            let word = code.words(in: arguments).first(where: { $0.text == label && code.depth(at: $0.start) == outer }
            ),
            let colon = code.code[word.end..<arguments.upperBound].firstIndex(where: { !SwiftCode.isSpace($0) }),
            code.code[colon] == UInt8(ascii: ":")
        else { return .absent }
        let end =
            (colon..<arguments.upperBound).first {
                code.code[$0] == UInt8(ascii: ",") && code.depth(at: $0) == outer
            } ?? arguments.upperBound
        return texts(code, colon + 1..<end).map(Argument.texts) ?? .computed
    }

    /// Returns the literals in a range that contains only literals or a list of them; else nil.
    private static func texts(_ code: SwiftCode, _ range: Range<Int>) -> [String]? {
        var texts: [String] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = code.source[index]
            if byte == UInt8(ascii: "\"") {
                let text = code.source[(index + 1)..<range.upperBound].prefix {
                    $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
                }
                guard text.endIndex < range.upperBound, code.source[text.endIndex] == UInt8(ascii: "\"") else {
                    return nil
                }
                texts.append(String(decoding: text, as: UTF8.self))
                index = text.endIndex + 1
                continue
            }
            if code.source[index..<range.upperBound].starts(with: "/*".utf8) {
                index = code.source[index..<range.upperBound].firstRange(of: "*/".utf8)?.upperBound ?? range.upperBound
                continue
            }
            if code.source[index..<range.upperBound].starts(with: "//".utf8) {
                index = code.source[index..<range.upperBound].firstIndex(of: UInt8(ascii: "\n")) ?? range.upperBound
                continue
            }
            let isBlank = SwiftCode.isSpace(code.code[index])
            guard isBlank || [UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ",")].contains(byte) else {
                return nil
            }
            index += 1
        }
        return texts.isEmpty ? nil : texts
    }

    /// Returns the source of a range without commented lines.
    private static func withoutComments(_ code: SwiftCode, _ range: Range<Int>) -> String {
        let lines = String(decoding: code.source[range], as: UTF8.self).split(separator: "\n")
        return lines.filter { !$0.drop(while: \.isWhitespace).hasPrefix("//") }.joined(separator: "\n")
    }
}
