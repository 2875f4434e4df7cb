import Foundation
import Testing

/// Tests compile the guides' Swift code: the snippets next to this file, and the example apps.
@Suite("The guides")
struct GuideTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../..").standardized

    /// The code that guides may show, without spaces and line ends.
    private let compiled: String

    init() throws {
        let folders = ["Tests/SDK/TrackingTests/Guides", "Sources/Examples/SwiftUIApp", "Sources/Examples/UIKitApp"]
        let code = try folders.flatMap { folder in
            let path = Self.root.appendingPathComponent(folder).path
            return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
                .filter { $0.hasSuffix(".swift") && $0 != "GuideTests.swift" }
                .map { try String(contentsOfFile: "\(path)/\($0)", encoding: .utf8) }
        }
        compiled = Self.squeezed(code.joined(separator: "\n"))
    }

    /// Whether the code is compiled. Failures show only a part of the code.
    private func isCompiled(_ code: String) -> Bool { compiled.contains(Self.squeezed(code)) }

    private static func squeezed(_ code: some StringProtocol) -> String {
        String(code.filter { !$0.isWhitespace })
    }

    private func lines(of guide: String) throws -> [String] {
        let path = "Sources/SDK/Tracking/Tracking.docc/\(guide).md"
        return try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
            .components(separatedBy: "\n")
    }

    /// The blocks of code in a language.
    private func blocks(of language: String, in lines: [String]) -> [String] {
        var blocks: [String] = []
        var isInside = false
        for line in lines {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasPrefix("```") {
                isInside = text == "```\(language)"
                if isInside { blocks.append("") }
            } else if isInside {
                blocks[blocks.count - 1] += line + "\n"
            }
        }
        return blocks
    }

    private static let guides = ["Segment", "Amplitude", "Mixpanel", "PostHog", "Snowplow"].map { "ComingFrom\($0)" }

    @Test("each block of Swift is compiled", arguments: guides + ["ComingFromAnotherSDK"])
    func swift(_ guide: String) throws {
        let blocks = blocks(of: "swift", in: try lines(of: guide))
        #expect(!blocks.isEmpty)
        for block in blocks {
            let isCompiled = isCompiled(block)
            #expect(isCompiled, "this code is not compiled:\n\(block)")
        }
    }

    @Test("each call in the last column of a table is compiled", arguments: guides)
    func tables(_ guide: String) throws {
        let rows = try lines(of: guide).filter { $0.hasPrefix("| ") }.dropFirst()
        #expect(rows.count >= 12)
        var calls = 0
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(cells.count == 3, "a row has a column for the subject, for theirs and for ours: \(row)")
            let codes = (cells.last ?? "").components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }
            for (_, code) in codes where code.contains("(") || code.contains("@") {
                calls += 1
                let isCompiled = isCompiled(code)
                #expect(isCompiled, "this code is not compiled: \(code)")
            }
        }
        #expect(calls >= 8)
    }

    @Test("each mapping that a guide mentions is in the repository", arguments: guides)
    func mappings(_ guide: String) throws {
        let commands = blocks(of: "sh", in: try lines(of: guide)).joined()
        let mapping = try #require(commands.firstMatch(of: #/--mapping (\S+)/#)).1
        #expect(FileManager.default.fileExists(atPath: Self.root.appendingPathComponent(String(mapping)).path))
    }
}
