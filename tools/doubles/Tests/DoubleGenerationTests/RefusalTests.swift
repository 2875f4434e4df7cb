import Foundation
import Testing

@testable import DoubleGeneration

/// Unsupported protocols are reported with their position and what to do.
@Suite("Unsupported protocols")
struct RefusalTests {
    @Test("are reported with their line and what to do")
    func table() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/refused.txt"
        let table = try String(contentsOfFile: path, encoding: .utf8)
        var text = ""
        // A source in one line, followed by its errors, indented.
        for line in table.split(separator: "\n") where !line.hasPrefix(" ") {
            let source = line.replacing("//M", with: "// tracking:double\n").replacing(" ⏎ ", with: "\n")
            text += "\(line)\n"
            for issue in try Sources(["A.swift": String(source)]).refusal().split(separator: "\n") {
                text += "    \(issue)\n"
            }
        }
        if Tests.isRecording { try text.write(toFile: path, atomically: true, encoding: .utf8) }
        #expect(text.split(separator: "\n") == table.split(separator: "\n"))
        #expect(!text.contains("    made"))
    }

    @Test("in several files are reported together")
    func all() throws {
        let sources = try Sources([
            "A.swift": "// tracking:double\nprotocol A: Unknown {}",
            "B.swift": "\n// tracking:double\nprotocol B { static func + (a: Self, b: Self) -> Self }",
        ])
        #expect(
            sources.refusal() == """
                A.swift:2: error: A inherits Unknown, which no source declares; add its file to --input, or write this \
                double by hand
                B.swift:3: error: operators are not supported; write this double by hand
                """)
    }

    @Test("two doubles with the same name or file are reported with both")
    func twins() throws {
        let text = "// tracking:double\nprotocol P {}"
        #expect(
            try Sources(["A.swift": text, "B.swift": text]).refusal() == """
                B.swift:2: error: A.swift:2 has a double PDouble, too; rename one with `// tracking:double NAME`
                """)
        let other = "// tracking:double\nprotocol Q {}"
        #expect(
            try Sources(["a/A.swift": text, "b/A.swift": other]).refusal() == """
                a/A.swift, b/A.swift: their doubles would be in the same file ADoubles.swift; use a separate --output for each, \
                or rename one
                """)
    }

    @Test("write nothing")
    func nothingWritten() throws {
        let sources = try Sources([
            "in/A.swift": "// tracking:double\nprotocol A {}",
            "in/B.swift": "// tracking:double\nprotocol B: Unknown {}",
        ])
        #expect(throws: DoublesError.self) { try sources.job("in").run() }
        #expect(!FileManager.default.fileExists(atPath: "\(sources.folder)/out"))
    }

    @Test("sources without a mark have a different error")
    func unmarked() throws {
        let sources = try Sources(["A.swift": "protocol A {}"])
        let error = #expect(throws: DoublesError.self) { try sources.job().run() }
        #expect(error?.code.exitStatus == 66)
        let missing = #expect(throws: DoublesError.self) { try sources.job("none").run() }
        #expect(missing?.code.exitStatus == 66)
    }
}
