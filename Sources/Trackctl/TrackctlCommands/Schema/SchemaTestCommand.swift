internal import ArgumentParser
internal import CommandSupport
internal import Foundation
internal import JSONLines
internal import JSONSchema
internal import TextRendering

/// `trackctl schema test`: runs tests in the format of the official JSON Schema Test Suite.
struct SchemaTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run tests in the format of the JSON Schema Test Suite.",
        discussion: """
            Examples:
              trackctl schema test JSON-Schema-Test-Suite/tests/draft2020-12
              trackctl schema test my-tests.json --remotes my-schemas
              trackctl schema test my-tests.json --remotes-uri https://example.com/
              trackctl schema test tests/draft2020-12/optional/format --formats

            A file is an array of groups: description, schema, and tests with description, data and valid. Folders \
            are searched recursively for *.json. Schemas without $schema use draft 2020-12. Exit code 1: a test \
            fails; 65: a file has another format, or there are no tests.
            """
    )

    @Argument(help: ArgumentHelp("Files, or folders of files.", valueName: "paths"))
    var paths: [String]

    @Option(
        help: ArgumentHelp(
            "Schemas that the tests refer to (default: a folder named remotes next to the tests, or up to 4 levels above).",
            valueName: "folder"))
    var remotes: String?

    @Option(help: ArgumentHelp("Base URI of that folder in the tests.", valueName: "uri"))
    var remotesURI = "http://localhost:1234/"

    @Flag(help: "Also check the 'format' keyword.")
    var formats = false

    @Flag(name: .customLong("json"), help: "Print one JSON object on one line instead of text.")
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
            throw CommandFailure(.dataError, "no tests in \(paths.joined(separator: ", ")): check the path")
        }
        guard result.passed == result.total else { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    private func suite(near path: String) throws -> SchemaSuite {
        guard let folder = remotes ?? SuiteFiles.remotes(near: path) else { return try SchemaSuite() }
        let schemas = try SuiteFiles.remotes(in: folder, at: remotesURI)
        do throws(SchemaError) {
            return try SchemaSuite(remotes: schemas)
        } catch {
            throw CommandFailure(.dataError, "\(folder): \(error)")
        }
    }

    private func run(_ file: SuiteFiles.File, _ suite: SchemaSuite) throws -> SuiteReport.File {
        let document = try file.document()
        do throws(SuiteFormatError) {
            let result = try suite.run(document, options: SchemaOptions(assertsFormats: formats))
            return SuiteReport.File(path: file.path, result: result)
        } catch {
            throw CommandFailure(.dataError, "\(file.path):\(error.line):\(error.column): \(error.message)")
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

struct SuiteFiles {
    /// A file that is read lazily.
    struct File {
        /// The path as shown in messages.
        let path: String

        /// Reads the file.
        ///
        /// - Throws: ``CommandFailure``: `inputOutput`, or `dataError` if it is not JSON.
        func document() throws -> JSONDocument {
            let data: Data
            do {
                data = try Data(contentsOf: URL(fileURLWithPath: path))
            } catch {
                throw CommandFailure(.inputOutput, "cannot read \(path): \(error.localizedDescription)")
            }
            do throws(JSONTextError) {
                return try JSONDocument(data)
            } catch {
                throw CommandFailure(.dataError, "\(path): not JSON: \(error)")
            }
        }
    }

    /// The test files at a path: the file, or all `*.json` files of a folder, searched recursively and sorted by
    /// path.
    ///
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`.
    static func tests(in path: String) throws -> [File] {
        guard let isFolder = isFolder(path) else {
            throw CommandFailure(.noInput, "cannot open \(path): no such file or folder; check the path")
        }
        guard isFolder else { return [File(path: path)] }
        // Exclude remotes within the folder.
        return try paths(in: path).filter { !$0.hasPrefix("remotes/") }.map { File(path: join(path, $0)) }
    }

    /// The folder of the remotes: in the folder of the tests, or up to four levels above, as in the official suite.
    static func remotes(near path: String) -> String? {
        let parent = (path as NSString).deletingLastPathComponent
        let folder = isFolder(path) == true ? path : parent.isEmpty ? "." : parent
        return (0...4).map { join(folder, String(repeating: "../", count: $0) + "remotes") }
            .first { isFolder($0) == true }
    }

    /// The schemas of a folder with their URIs in the tests.
    ///
    /// - Parameter uri: The base URI of the folder.
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`, `dataError`.
    static func remotes(in folder: String, at uri: String) throws -> [(uri: String, document: JSONDocument)] {
        guard isFolder(folder) == true else {
            throw CommandFailure(.noInput, "cannot open \(folder): no such folder; check the path")
        }
        let base = uri.hasSuffix("/") ? uri : uri + "/"
        return try paths(in: folder).filter(isOfSupportedDraft).map { path in
            ("\(base)\(path)", try File(path: join(folder, path)).document())
        }
    }

    /// Whether a schema may use draft 2020-12: the official suite keeps other drafts in separate folders.
    private static func isOfSupportedDraft(_ path: String) -> Bool {
        let first = path.split(separator: "/").first ?? ""
        return !(first.hasPrefix("draft") || first == "v1") || first == "draft2020-12"
    }

    private static func paths(in folder: String) throws -> [String] {
        do {
            return try FileManager.default.subpathsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix(".json") && isFolder(join(folder, $0)) == false }
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        } catch {
            throw CommandFailure(.inputOutput, "cannot read \(folder): \(error.localizedDescription)")
        }
    }

    private static func join(_ folder: String, _ path: String) -> String {
        folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    private static func isFolder(_ path: String) -> Bool? {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
    }
}

struct SuiteReport {
    struct File {
        let path: String
        let result: SchemaSuite.Result
    }

    let files: [File]

    var passed: Int { files.reduce(0) { $0 + $1.result.passed } }
    var total: Int { files.reduce(0) { $0 + $1.result.total } }

    /// The failures, one per line, and a table.
    var text: String {
        var table = TextTable(["file", "passed", "total"], rightAligned: [1, 2])
        for file in files { table.add([file.path, file.result.passed.grouped, file.result.total.grouped]) }
        if files.count != 1 { table.add(["all", passed.grouped, total.grouped]) }
        let failures = files.flatMap { file in
            file.result.failures.map { "\(file.path): \($0.group): \($0.test): \($0.outcome)".printable }
        }
        return (failures + (failures.isEmpty ? [] : [""]) + table.lines).joined(separator: "\n")
    }

    /// The results as one object. **Frozen**: members are added, never renamed or removed.
    ///
    /// `passed` and `total` for all files, and `files`: for each, `file`, `passed`, `total`, and `failures` with
    /// `group`, `test` and `outcome`.
    var json: JSONValue {
        let files = files.map { file -> JSONValue in
            let failures = file.result.failures.map { failure -> JSONValue in
                [
                    "group": .string(failure.group), "test": .string(failure.test),
                    "outcome": .string(failure.outcome),
                ]
            }
            return [
                "file": .string(file.path), "passed": .integer(Int64(file.result.passed)),
                "total": .integer(Int64(file.result.total)), "failures": .array(failures),
            ]
        }
        return ["passed": .integer(Int64(passed)), "total": .integer(Int64(total)), "files": .array(files)]
    }
}
