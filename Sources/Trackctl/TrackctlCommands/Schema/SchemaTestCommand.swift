internal import ArgumentParser
internal import CommandSupport
internal import JSONLines
internal import JSONSchema

/// `trackctl schema test`: tests in the format of the official JSON Schema Test Suite.
struct SchemaTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Runs tests in the format of the official JSON Schema Test Suite.",
        discussion: """
            Examples:
              trackctl schema test JSON-Schema-Test-Suite/tests/draft2020-12
              trackctl schema test my-tests.json --remotes my-schemas
              trackctl schema test my-tests.json --remotes-uri https://example.com/
              trackctl schema test tests/draft2020-12/optional/format --formats

            A file is an array of groups: description, schema, and tests with description, data and valid. A folder \
            is searched for *.json at any depth. Schemas without $schema are of draft 2020-12. The exit code is 1 if \
            a test fails, and 65 for a file in another format, or if there is no test.
            """
    )

    @Argument(help: ArgumentHelp("Files, or folders of files.", valueName: "paths"))
    var paths: [String]

    @Option(
        help: ArgumentHelp(
            "Schemas that the tests refer to (default: a folder remotes beside the tests, or up to four above).",
            valueName: "folder"))
    var remotes: String?

    @Option(help: ArgumentHelp("What the tests call that folder.", valueName: "uri"))
    var remotesURI = "http://localhost:1234/"

    @Flag(help: "Check format, too.")
    var formats = false

    @Flag(name: .customLong("json"), help: "One JSON object on one line instead of text.")
    var asJSON = false

    func run() async throws {
        var status = ExitStatus.ok
        func report(_ failure: CommandFailure) {
            Console.complain(failure.message)
            if status == .ok { status = failure.status }
        }
        var files: [SuiteReport.File] = []
        for path in paths {
            do {
                let tests = try SuiteFiles.tests(in: path)
                let suite = try suite(near: path)
                for file in tests {
                    do { files.append(try run(file, suite)) } catch { report(CommandFailure(error)) }
                }
            } catch {
                report(CommandFailure(error))
            }
        }
        let result = SuiteReport(files: files)
        try Self.write(asJSON ? try Self.text(result.json) : result.text)
        guard status == .ok else { throw ExitCode(status.rawValue) }
        guard result.total > 0 else {
            throw CommandFailure(.dataAtFault, "there is no test in \(paths.joined(separator: ", ")): check the path")
        }
        guard result.passed == result.total else { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    private func suite(near path: String) throws -> SchemaSuite {
        guard let folder = remotes ?? SuiteFiles.remotes(near: path) else { return try SchemaSuite() }
        let schemas = try SuiteFiles.remotes(in: folder, at: remotesURI)
        do throws(SchemaError) {
            return try SchemaSuite(remotes: schemas)
        } catch {
            throw CommandFailure(.dataAtFault, "\(folder): \(error)")
        }
    }

    private func run(_ file: SuiteFiles.File, _ suite: SchemaSuite) throws -> SuiteReport.File {
        let document = try file.document()
        do throws(SuiteFormatError) {
            let result = try suite.run(document, options: SchemaOptions(assertsFormats: formats))
            return SuiteReport.File(path: file.path, result: result)
        } catch {
            throw CommandFailure(.dataAtFault, "\(file.path):\(error.line):\(error.column): \(error.message)")
        }
    }

    private static func text(_ value: JSONValue) throws -> String {
        var json = JSONWriter()
        try value.write(to: &json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func write(_ text: String) throws {
        let output = BufferedOutput.standardOutput()
        try output.write(line: text.utf8)
        try output.flush()
    }
}
