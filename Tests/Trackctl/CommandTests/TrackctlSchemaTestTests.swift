import CommandRunner
import Foundation
import Testing

@Suite("trackctl schema test")
struct TrackctlSchemaTestTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    private func test(_ arguments: String...) async throws -> CommandResult {
        try await trackctl(["schema", "test"] + arguments)
    }

    private static func group(_ schema: String, _ tests: String) -> String {
        #"[{"description":"group","schema":\#(schema),"tests":[\#(tests)]}]"#
    }

    private static let passing = group(#"{"type":"string"}"#, #"{"description":"text","data":"a","valid":true}"#)
    private static let failing = group(
        #"{"type":"string","minLength":2}"#,
        #"""
        {"description":"text","data":"ab","valid":true},{"description":"short","data":"a","valid":true},\#
        {"description":"number","data":1,"valid":true},{"description":"long","data":"abc","valid":false}
        """#)

    @Test("No test at all is an error", arguments: ["[]", group("{}", "")])
    func noTests(text: String) async throws {
        let file = try folder.file("a.json", text)
        let result = try await test(file)
        #expect(result.exitCode == 65)
        #expect(result.stderr == "trackctl: there is no test in \(file): check the path\n")
    }

    @Test("Files that pass are counted, and the exit code is 0")
    func passing() async throws {
        _ = try folder.file("b.json", Self.passing)
        _ = try folder.file("a.json", Self.passing)
        let result = try await test(folder.path)
        let width = folder("a.json").count
        #expect(
            result.text == """
                file\(String(repeating: " ", count: width - 4))  passed  total
                \(folder("a.json"))       1      1
                \(folder("b.json"))       1      1
                all\(String(repeating: " ", count: width - 3))       2      2

                """)
        #expect(result.stderr == "" && result.exitCode == 0)
    }

    @Test("Each failure is shown with group, test and outcome, and the exit code is 1")
    func failures() async throws {
        let file = try folder.file("a.json", Self.failing)
        let result = try await test(file)
        #expect(
            result.lines.prefix(3) == [
                "\(file): group: short: invalid, but should be valid: : must have at least 2 characters, but has 1",
                "\(file): group: number: invalid, but should be valid: : must be a string",
                "\(file): group: long: valid, but should be invalid",
            ])
        #expect(result.lines.last == "\(file)       1      4" && result.exitCode == 1)
        let json = try await test(file, "--json")
        #expect(
            json.text == """
                {"files":[{"failures":[{"group":"group","outcome":"invalid, but should be valid: : must have at \
                least 2 characters, but has 1","test":"short"},{"group":"group","outcome":"invalid, but should \
                be valid: : must be a string","test":"number"},{"group":"group","outcome":"valid, but should be \
                invalid","test":"long"}],"file":"\(file)","passed":1,"total":4}],"passed":1,"total":4}

                """)
        #expect(json.exitCode == 1)
    }

    @Test(
        "A file in another format is named with the place, and the exit code is 65",
        arguments: [
            ("{}", ":1:1: a file must be an array of groups"),
            ("[{}]", ":1:2: a group must have description, schema and tests"),
            (
                "[{\"description\":\"\",\"schema\":true,\"tests\":[\n 1]}]",
                ":2:2: a test must have description, data and valid"
            ),
            ("[", ": not JSON: expected a value, at byte 1"),
        ])
    func otherFormat(text: String, message: String) async throws {
        let file = try folder.file("a.json", text)
        let good = try folder.file("b.json", Self.passing)
        let result = try await test(file, good)
        #expect(result.stderr == "trackctl: \(file)\(message)\n")
        #expect(result.lines.last == "\(good)       1      1" && result.exitCode == 65)
    }

    @Test("What is not there ends with 66")
    func missing() async throws {
        let result = try await test(folder("none"))
        #expect(result.stderr == "trackctl: there is no file or folder \(folder("none")): check the path\n")
        #expect(result.exitCode == 66)
        #expect(try await test(folder.path, "--remotes", folder("none")).exitCode == 66)
    }

    @Test("Remotes are found beside the tests, or where they are said to be")
    func remotes() async throws {
        for name in ["remotes", "tests", "tests/a"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: false)
        }
        _ = try folder.file("remotes/text.json", #"{"type":"string"}"#)
        let tests = #"{"description":"number","data":1,"valid":false}"#
        let near = try folder.file("tests/a/a.json", Self.group(#"{"$ref":"http://localhost:1234/text.json"}"#, tests))
        for path in [near, folder("tests/a"), folder("tests"), folder.path] {
            #expect(try await test(path).exitCode == 0, "\(path)")
        }
        try FileManager.default.createDirectory(atPath: folder("elsewhere"), withIntermediateDirectories: false)
        _ = try folder.file("elsewhere/text.json", #"{"type":"string"}"#)
        let far = try folder.file("tests/b.json", Self.group(#"{"$ref":"https://example.com/text.json"}"#, tests))
        #expect(try await test(far).exitCode == 1)
        let said = try await test(far, "--remotes", folder("elsewhere"), "--remotes-uri", "https://example.com")
        #expect(said.exitCode == 0)
    }

    @Test("Formats are checked if asked for")
    func formats() async throws {
        let file = try folder.file(
            "a.json",
            Self.group(#"{"format":"ipv4"}"#, #"{"description":"no address","data":"1.2.3","valid":false}"#))
        #expect(try await test(file).exitCode == 1)
        #expect(try await test(file, "--formats").exitCode == 0)
    }

    @Test("The official suite passes")
    func official() async throws {
        let result = try await test(SchemaTestSuite.tests.path)
        #expect(result.exitCode == 0)
        #expect(result.lines.last?.split(separator: " ") == ["all", "1,299", "1,299"])
    }
}
