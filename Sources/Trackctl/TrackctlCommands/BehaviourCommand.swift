internal import ArgumentParser
internal import CommandSupport
internal import Foundation
internal import JSONLines
internal import LogFiles
internal import ReportPages

/// `trackctl behaviour`: what an app does, in the words of its tests.
struct BehaviourCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "behaviour",
        abstract: "Writes a page of what an app does, in the words of its tests.",
        discussion: """
            Examples:
              trackctl behaviour tests.jsonl
              trackctl behaviour tests.jsonl -o Behaviour.md --title 'The shop'
              trackctl behaviour tests.jsonl --filter ShopTests.BasketTests --no-cases
              trackctl behaviour tests.jsonl --title 'The shop' --check Behaviour.md

            The input is what a run of tests in Swift Testing writes by \
            swift test --event-stream-output-path tests.jsonl --event-stream-version 0; later versions leave out the \
            values of tests with parameters. Tests of XCTest are not in it.

            Suites are headings, in the order of the sources; tests are sentences below them. A suite whose name begins \
            with Given, When, Then, And or But is a line of a list, and what stands in it is indented. A test that \
            failed, was skipped or has a known issue is marked. Names in the code, where no sentence is given, become \
            words. The same tests give the same page: it holds no times, and nothing of the order in which they ran. A \
            file that this command did not write is left alone, and the exit code is 65.
            """
    )

    @Argument(help: ArgumentHelp("Event streams of runs of tests, or - for standard input.", valueName: "streams"))
    var streams: [String]

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The page to write (default: standard output).", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Write nothing; exit with 1 if this page is another.", valueName: "file"))
    var check: String?

    @Option(help: ArgumentHelp("What stands above the page.", valueName: "text"))
    var title = "Behaviour"

    @Option(
        help: ArgumentHelp(
            "Only the tests of a target, or of a suite: ShopTests, ShopTests.BasketTests/Empty; may be given again.",
            valueName: "target"))
    var filter: [String] = []

    @Flag(help: "Leave out the values of tests with parameters.")
    var noCases = false

    func validate() throws {
        guard output == nil || check == nil else { throw ValidationError("give either --output or --check") }
    }

    func run() async throws {
        let targets = try TestRunFiles.read(streams).targets(within: filter)
        guard !targets.isEmpty else {
            let names = streams.joined(separator: ", ")
            throw CommandFailure(
                .dataError,
                filter.isEmpty
                    ? "there is no test in \(names): check what swift test was asked for by --filter"
                    : "there is no test of \(filter.joined(separator: ", ")) in \(names): see swift test list")
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

/// Files that runs of tests wrote.
enum TestRunFiles {
    /// Reads event streams, one line at a time.
    ///
    /// - Throws: `LogFileError`; ``CommandFailure``, `dataAtFault`, with the place of what is wrong.
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

/// The file of a page of behaviour.
struct BehaviourFile {
    let path: String

    /// Says whether it is the page that the tests give.
    ///
    /// - Throws: ``CommandFailure``: `findings`, with the first line that differs; `inputOutput`.
    func compare(with page: [UInt8]) throws {
        let present = try content()
        guard present != page else { return }
        let advice = "run the same command with -o in the place of --check, and commit the page"
        guard let present else { throw CommandFailure(.findings, "there is no page \(path): \(advice)") }
        let same = zip(present, page).prefix { $0 == $1 }
        let line = same.count { $0.0 == 0x0A } + 1
        throw CommandFailure(.findings, "\(path):\(line): from here on the tests say something else: \(advice)")
    }

    /// Writes the page in the place of the one before.
    ///
    /// - Throws: ``CommandFailure``: `dataAtFault` for a file that is no such page; `inputOutput`; as `ReplacedFile`.
    func write(_ page: [UInt8]) throws {
        let file = try ReplacedFile(path: path)
        if let present = try content(), !present.isEmpty, !BehaviourPage.isWritten(present) {
            throw CommandFailure(
                .dataError, "\(path) was not written by trackctl behaviour: move it, or name another file")
        }
        try file.commit(page)
    }

    /// What is there; nil if nothing is.
    private func content() throws(CommandFailure) -> [UInt8]? {
        guard access(path, F_OK) == 0 else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.inputOutput, "\(path) cannot be read: check that it is a file, and its permissions")
        }
        return [UInt8](data)
    }
}
