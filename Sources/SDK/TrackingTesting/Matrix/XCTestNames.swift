internal import Foundation
internal import Primitives

/// Finds the names of XCTest's test methods by the locations of their expectations.
///
/// XCTest does not provide the running test to code that does not link it. The test's source does: it contains the
/// location.
final class XCTestNames: Sendable {
    static let ofThisRun = XCTestNames()

    private let files = Locked<[String: [Substring]]>([:])

    /// `FiringTests.testLaunch`; nil if the location is in no test method, or its source cannot be read.
    func name(at location: CodeLocation) -> String? {
        let path = location.filePath
        let lines = files.withLock { files in
            if let lines = files[path] { return lines }
            // Without the file there is no name, and the location is used instead.
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            files[path] = lines
            return lines
        }
        return Self.name(in: lines, line: Int(location.line))
    }

    /// - Parameter line: From 1.
    static func name(in lines: [Substring], line: Int) -> String? {
        guard lines.indices.contains(line - 1) else { return nil }
        // The enclosing declarations begin above the line, with a smaller indentation.
        var method: String?
        var indent = Self.indent(of: lines[line - 1])
        for text in lines[..<(line - 1)].reversed() {
            let own = Self.indent(of: text)
            guard own < indent, let declared = declaration(in: text) else { continue }
            indent = own
            switch (declared.keyword, method) {
            case ("func", nil) where declared.name.hasPrefix("test"): method = declared.name
            case ("func", nil): continue  // a function within the test method, or a helper
            case ("class", let method?), ("extension", let method?): return "\(declared.name).\(method)"
            default: return nil
            }
        }
        return nil
    }

    private static func indent(of line: Substring) -> Int {
        let text = line.drop { $0 == " " || $0 == "\t" }
        return text.isEmpty ? .max : line.count - text.count
    }

    /// The declaration that a line begins, after attributes and modifiers.
    private static func declaration(in line: Substring) -> (keyword: String, name: String)? {
        let words = line.split { !($0.isLetter || $0.isNumber || "_@/\"".contains($0)) }
        for (index, word) in words.enumerated() {
            if ["func", "class", "extension", "struct", "enum", "actor"].contains(word) {
                guard index + 1 < words.count, !["func", "var"].contains(words[index + 1]) else { continue }
                return (String(word), String(words[index + 1]))
            }
            guard modifiers.contains(word) || word.hasPrefix("@") else { return nil }
        }
        return nil
    }

    private static let modifiers: Set<Substring> = [
        "public", "open", "package", "internal", "fileprivate", "private", "final", "override", "nonisolated",
        "static", "MainActor",
    ]
}
