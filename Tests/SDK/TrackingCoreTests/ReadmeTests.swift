import Foundation
import Testing

/// The README's Swift is this package's own test code (`ReadmeSnippets.swift`), so it compiles and runs.
@Suite("README")
struct ReadmeTests {
    @Test("its Swift snippets are the code that the tests compile and run")
    func snippets() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let root = tests.appendingPathComponent("../../..").standardized
        let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let code = try String(contentsOf: tests.appendingPathComponent("ReadmeSnippets.swift"), encoding: .utf8)
        let parts = readme.components(separatedBy: "<!-- snippet: ").dropFirst()
        #expect(parts.count == 3)
        for part in parts {
            let start = try #require(part.range(of: "```swift\n"))
            let end = try #require(part.range(of: "```\n", range: start.upperBound..<part.endIndex))
            let snippet = part[start.upperBound..<end.lowerBound]
                .split(separator: "\n", omittingEmptySubsequences: false)
                .drop { $0.hasPrefix("import ") || $0.isEmpty }.joined(separator: "\n")
            #expect(code.contains(snippet), "the README's code is not in ReadmeSnippets.swift:\n\(snippet)")
        }
    }
}
