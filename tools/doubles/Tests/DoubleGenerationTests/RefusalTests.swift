import Foundation
import Testing

@testable import DoubleGeneration

/// What cannot become a double is refused, with its place and with what to do.
@Suite("Refused protocols")
struct RefusalTests {
    @Test("say where they are and what to do instead")
    func table() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path + "/refused.txt"
        let table = try String(contentsOfFile: path, encoding: .utf8)
        var text = ""
        // A source of one line, and after it what is wrong with it, indented.
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

    @Test("of several files are said all at once")
    func all() throws {
        let sources = try Sources([
            "A.swift": "// tracking:double\nprotocol A: Unknown {}",
            "B.swift": "\n// tracking:double\nprotocol B { static func + (a: Self, b: Self) -> Self }",
        ])
        #expect(
            sources.refusal() == """
                A.swift:2: error: A inherits Unknown, which no source declares: add its file to --input, or write this \
                double by hand
                B.swift:3: error: an operator has no name that its calls could be found by: write this double by hand
                """)
    }

    @Test("with the same double, or the same file for it, name both")
    func twins() throws {
        let text = "// tracking:double\nprotocol P {}"
        #expect(
            try Sources(["A.swift": text, "B.swift": text]).refusal() == """
                B.swift:2: error: A.swift:2 has a double PDouble too: give one another name with `// tracking:double NAME`
                """)
        let other = "// tracking:double\nprotocol Q {}"
        #expect(
            try Sources(["a/A.swift": text, "b/A.swift": other]).refusal() == """
                a/A.swift, b/A.swift: their doubles would be in the same file ADoubles.swift: give each its own --output, \
                or rename one
                """)
    }

    @Test("leave everything as it is")
    func nothingWritten() throws {
        let sources = try Sources([
            "in/A.swift": "// tracking:double\nprotocol A {}",
            "in/B.swift": "// tracking:double\nprotocol B: Unknown {}",
        ])
        #expect(throws: DoublesError.self) { try sources.job("in").run() }
        #expect(!FileManager.default.fileExists(atPath: "\(sources.folder)/out"))
    }

    @Test("are none where no protocol is marked, which is another fault")
    func unmarked() throws {
        let sources = try Sources(["A.swift": "protocol A {}"])
        let error = #expect(throws: DoublesError.self) { try sources.job().run() }
        #expect(error?.code.exitStatus == 66)
        let missing = #expect(throws: DoublesError.self) { try sources.job("none").run() }
        #expect(missing?.code.exitStatus == 66)
    }
}
