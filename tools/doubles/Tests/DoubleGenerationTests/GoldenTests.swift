import Foundation
import Testing

@testable import DoubleGeneration

/// The folders of the package's tests.
enum Tests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
    static let protocols = "\(folder)/DoubledProtocols"
    /// Whether the tests write the golden files; review the difference before you commit it.
    static let isRecording = ProcessInfo.processInfo.environment["GOLDEN"] == "record"
}

@Suite("Generated doubles")
struct GoldenTests {
    @Test("equal those in Generated, which are compiled and used")
    func golden() throws {
        var job = DoublesJob(
            inputs: [Tests.protocols], output: "\(Tests.folder)/GeneratedDoublesTests/Generated")
        job.module = "DoubledProtocols"
        try job.run(isCheck: !Tests.isRecording)
    }

    @Test("with public access equal those in PublicDoubles, where internal protocols stay internal")
    func access() throws {
        var job = DoublesJob(inputs: [Tests.protocols], output: "\(Tests.folder)/PublicDoubles")
        job.module = "DoubledProtocols"
        job.access = .public
        try job.run(isCheck: !Tests.isRecording)
    }

    @Test("do not depend on the order of the inputs")
    func determinism() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Tests.protocols).sorted()
        let paths = names.map { "\(Tests.protocols)/\($0)" }
        let first = try DoublesJob(inputs: paths, output: "").generatedFiles()
        let second = try DoublesJob(inputs: paths.reversed(), output: "").generatedFiles()
        let folder = try DoublesJob(inputs: [Tests.protocols + "/"], output: "").generatedFiles()
        #expect(first.count == 9)
        #expect(first == second)
        #expect(first == folder)
    }

    @Test("have names that do not depend on the order of overloads")
    func overloads() throws {
        let one = "func set(_ a: Int)", other = "func set(_ a: String)"
        func names(_ members: [String]) throws -> Set<Substring> {
            let code = try Sources(["A.swift": "// tracking:double\nprotocol P { \(members.joined(separator: "; ")) }"])
                .code()
            return Set(code.split(separator: "\n").filter { $0.contains("testDouble.method") })
        }
        #expect(try names([one, other]) == names([other, one]))
        #expect(try names([one, other]).count == 2)
    }

    @Test("read only files with a mark, and files that declare inherited protocols")
    func laziness() throws {
        let sources = try Sources([
            "Child.swift": "// tracking:double\nprotocol Child: Parent {}",
            "Parent.swift": "protocol Parent: Grandparent { func a() }",
            "Grandparent.swift": "protocol Grandparent { func b() }",
            "Other.swift": "this is not Swift, and is not parsed: protocol",
        ])
        #expect(try sources.code().contains("func b()"))
    }
}
