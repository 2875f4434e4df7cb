internal import ArgumentParser
internal import CommandSupport
internal import Foundation
internal import JSONLines
internal import LogFiles
internal import ReportPages

/// `trackctl behaviour`: documents an app's behavior by its tests.
struct BehaviourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "behaviour",
        abstract: "Document an app's behavior by the names of its tests.",
        discussion: """
            Examples:
              trackctl behaviour tests.jsonl
              trackctl behaviour tests.jsonl -o Behaviour.md --title 'The shop'
              trackctl behaviour tests.jsonl --filter ShopTests.BasketTests --no-cases
              trackctl behaviour tests.jsonl --title 'The shop' --check Behaviour.md

            The input is the event stream of a Swift Testing run: swift test --event-stream-output-path tests.jsonl \
            --event-stream-version 0. Later versions omit the arguments of parameterized tests. XCTest tests are not \
            included.

            Suites become headings, in source order; tests become sentences. A suite whose name begins with Given, \
            When, Then, And or But becomes a list item with its tests indented. Failed and skipped tests, and tests \
            with known issues, are marked. A test without a display name is shown by its function name, split into \
            words. The page has no times and does not depend on the order of the run: the same tests give the same \
            bytes. A file that this command did not write is never overwritten; the exit code is then 65.
            """
    )

    @Argument(help: ArgumentHelp("Event streams of test runs, or - for standard input.", valueName: "streams"))
    var streams: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("File to write (default: standard output).", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Compare with this file and write nothing. Exit code 1: it differs.", valueName: "file"))
    var check: String?

    @Option(help: ArgumentHelp("Heading of the page.", valueName: "text"))
    var title = "Behaviour"

    @Option(
        help: ArgumentHelp(
            "Only this target or suite: ShopTests, ShopTests.BasketTests/Empty. Repeatable.",
            valueName: "target"))
    var filter: [String] = []

    @Flag(help: "Omit the arguments of parameterized tests.")
    var noCases = false

    func validate() throws {
        guard output == nil || check == nil else { throw ValidationError("pass either --output or --check") }
    }

    func run() async throws {
        let targets = try TestRunFiles.read(streams).targets(within: filter)
        guard !targets.isEmpty else {
            let names = streams.joined(separator: ", ")
            throw CommandFailure(
                .dataError,
                filter.isEmpty
                    ? "no tests in \(names): check the --filter of swift test"
                    : "no tests of \(filter.joined(separator: ", ")) in \(names): run swift test list for the names")
        }
        let page = Array(BehaviourPage(title: title, targets: targets, showsCases: !noCases).text.utf8)
        if let check {
            try BehaviourFile(path: check).compare(with: page)
        } else if let output {
            try BehaviourFile(path: output).write(page)
        } else {
            let output = BufferedOutput.standardOutput()
            try output.write(page)
            try output.flush()
        }
    }
}

/// Reads the event streams of test runs.
enum TestRunFiles {
    /// Reads event streams line by line.
    ///
    /// - Throws: `LogFileError`; ``CommandFailure``, `dataError`, with the location of the error.
    static func read(_ paths: [String]) throws -> TestRun {
        var run = TestRun()
        for path in paths {
            let reader = try LogFileReader(path: path)
            var last = 0
            while let (line, number) = try reader.next() {
                last = number
                do {
                    try run.add(try JSONParser.parse(try line.content(input: reader.name, line: Int64(number))))
                } catch {
                    throw failure(error, input: reader.name, line: number)
                }
            }
            do { try run.endStream() } catch { throw failure(error, input: reader.name, line: max(1, last)) }
        }
        return run
    }

    private static func failure(_ error: any Error, input: String, line: Int) -> CommandFailure {
        let text =
            switch error {
            case let issue as InputError: "\(issue)"
            case is JSONSyntaxError:
                "\(InputError(error, input: input, line: Int64(line))); \(TestRunError(.notAStream))"
            default: "\(input):\(line): \(error)"
            }
        return CommandFailure(.dataError, text)
    }
}

/// The file of a behavior page.
struct BehaviourFile {
    let path: String

    /// Compares the file with the page of the tests.
    ///
    /// - Throws: ``CommandFailure``: `findings`, with the first line that differs; `inputOutput`.
    func compare(with page: [UInt8]) throws {
        let present = try content()
        guard present != page else { return }
        let advice = "run the same command with -o instead of --check, and commit the page"
        guard let present else { throw CommandFailure(.findings, "cannot open \(path): no such file; \(advice)") }
        let same = zip(present, page).prefix { $0 == $1 }
        let line = same.count { $0.0 == 0x0A } + 1
        throw CommandFailure(.findings, "\(path):\(line): the page differs from the tests from here on: \(advice)")
    }

    /// Writes the page, replacing the file.
    ///
    /// - Throws: ``CommandFailure``: `dataError` if this command did not write the file; `inputOutput`; see
    ///   `ReplacedFile`.
    func write(_ page: [UInt8]) throws {
        let file = try ReplacedFile(path: path)
        if let present = try content(), !present.isEmpty, !BehaviourPage.isWritten(present) {
            throw CommandFailure(
                .dataError, "\(path) was not written by trackctl behaviour: move it, or choose another file")
        }
        try file.commit(page)
    }

    /// The file's content; nil if there is no file.
    private func content() throws(CommandFailure) -> [UInt8]? {
        guard access(path, F_OK) == 0 else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.inputOutput, "cannot read \(path): check that it is a file, and its permissions")
        }
        return [UInt8](data)
    }
}
