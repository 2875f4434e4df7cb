internal import ArgumentParser
internal import CommandSupport
internal import EventQuery
internal import JSONLines
internal import LogFiles

/// `trackctl assert`: checks logs against expectations.
struct AssertCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "assert",
        abstract: "Check logs against a spec.",
        discussion: """
            Examples:
              trackctl assert spec.json events.sqlite
              trackctl assert -e 'search >= 1' -e 'crash == 0' events.jsonl
              trackctl assert spec.json logs/ --since yesterday --format junit
              trackctl assert spec.json --collector https://collector.example.com --since=-5m --wait 30s

            A spec is JSON: {"expectations": {"one search": {"match": {"event": {"name": "search"}}, "count": 1}}}. \
            Each expectation has a name, selects lines (where, match), and states what must hold for them: count, \
            none, sequence (by user_id or session_id), valid or gaps; by default, at least one line. -e is short for \
            a count: an event name (* matches any text, ? any character), then ==, >=, <=, > or <, and a number.

            --wait is for end-to-end tests: new lines are read until all expectations are met, or one can no longer be \
            met, or the time is over.

            Prints one line for each expectation. A failed expectation also shows the line nearest to the failure, and \
            the exit code is 1. Exit code 65: the spec is invalid (reported with line and column), a line holds no \
            event, or a line is malformed JSON and 'match' or 'sequence' has to parse it in full.
            """
    )

    @Option(
        name: .customShort("e"),
        help: ArgumentHelp(
            "Expectation instead of a spec, such as 'search >= 1'. Repeatable; all must hold.", valueName: "count"),
        transform: Self.shortForm)
    var expectations: [Expectation] = []

    @Argument(
        help: ArgumentHelp(
            "Spec (unless you pass -e), then the inputs, as for dump.", valueName: "spec-and-inputs"))
    var arguments: [String] = []

    @Option(help: ArgumentHelp("Collector to check, as a further input.", valueName: "url"))
    var collector: String?

    @Option(
        help: ArgumentHelp(
            "Follow the inputs, and wait at most this long for the expectations: 30s, 5m.", valueName: "duration"),
        transform: DurationText.duration)
    var wait: Duration?

    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Collector") var access: CollectorOptions
    @OptionGroup var planOptions: PlanOptions

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case text, json, junit
    }

    @Option(help: "text, json (one object on one line) or junit.")
    var format = Format.text

    func validate() throws {
        let inputs = arguments.count - (expectations.isEmpty ? 1 : 0)
        guard inputs >= 0, inputs > 0 || collector != nil else {
            throw ValidationError("pass a spec and at least one input, or -e and an input")
        }
        guard wait == nil || !arguments.contains("-") else {
            throw ValidationError("--wait cannot follow standard input: pass a file, a log or --collector")
        }
        if let collector, !CollectorAddress.isOne(collector) {
            throw ValidationError("--collector must be a URL, such as https://collector.example.com")
        }
    }

    func run() async throws {
        var inputs = arguments
        let all = expectations.isEmpty ? try AssertionSpec(path: inputs.removeFirst()).expectations : expectations
        let checks = try checks(all)
        if let collector { inputs.append(collector) }
        let request = try EventRequest(
            paths: wait == nil ? inputs : [], selection, collectors: access.access)
        let lines: Int
        let conclude: () throws -> Void
        if let wait {
            var request = request
            request.paths = inputs
            let following = try AssertionWait(request, wait, console: Console())
            lines = try follow(following, zip(all, checks).map { ($0, $1) })
            conclude = { if following.faultyLines > 0 { throw ExitCode(ExitStatus.dataError.rawValue) } }
        } else {
            let stream = EventStream(request, console: Console())
            lines = try read(stream, zip(all, checks).map { ($0, $1) })
            conclude = { try stream.conclude() }
        }
        let report = AssertionReport(
            verdicts: zip(all, checks).map { ($0.name, $1.verdict()) }, lines: lines)

        let output = BufferedOutput.standardOutput()
        switch format {
        case .text: for line in report.text { try output.write(line: line.utf8) }
        case .junit: for line in report.junit { try output.write(line: line.utf8) }
        case .json:
            var json = JSONWriter()
            try report.json.write(to: &json)
            try output.write(line: json.bytes)
        }
        try output.flush()
        try conclude()
        if !report.isMet { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    private func checks(_ expectations: [Expectation]) throws -> [any ExpectationCheck] {
        var plan: ScanPlan?
        return try expectations.map { expectation in
            switch expectation.demand {
            case .count(let range): return CountCheck(range)
            case .sequence(let steps, let group): return SequenceCheck(steps, by: group)
            case .noGaps: return GapCheck()
            case .valid:
                let read = try plan ?? planOptions.plan()
                plan = read
                return ValidityCheck(read.compiled)
            }
        }
    }

    /// Passes each line to the checks that select it; returns the number of lines.
    private func read(_ stream: EventStream, _ checks: [(Expectation, any ExpectationCheck)]) throws -> Int {
        let scanner = Self.scanner(checks)
        var count = 0
        while let chunk = try stream.next() {
            let input = stream.inputs[chunk.input].name
            try chunk.forEachLine { line in
                try Self.check(line, of: input, by: scanner, checks: checks, count: &count) { stream.note($0) }
                return true
            }
        }
        return count
    }

    /// Passes lines to the checks until all verdicts are decided; returns the number of lines.
    private func follow(_ following: AssertionWait, _ checks: [(Expectation, any ExpectationCheck)]) throws -> Int {
        let scanner = Self.scanner(checks)
        var count = 0
        func isDecided() -> Bool {
            let verdicts = checks.map { $1.verdict() }
            return verdicts.allSatisfy(\.isMet) || verdicts.contains { !$0.isMet && $0.isFinal }
        }
        try following.run(isDecided) { line, input in
            try Self.check(line, of: input, by: scanner, checks: checks, count: &count) { following.note($0) }
        }
        return count
    }

    private static func scanner(_ checks: [(Expectation, any ExpectationCheck)]) -> EventLineScanner {
        EventLineScanner(checks.reduce(into: []) { $0.formUnion($1.0.members) })
    }

    /// Passes a line to the checks, and counts it if it is an event.
    ///
    /// - Parameter issue: Called if it is malformed.
    private static func check(
        _ line: LineChunk.Line, of input: String, by scanner: EventLineScanner,
        checks: [(Expectation, any ExpectationCheck)], count: inout Int, issue: (InputError) -> Void
    ) throws {
        do {
            let asserted = AssertedLine(
                try scanner.scan(line.bytes), at: AssertedLine.Location(input: input, number: line.number))
            count += 1
            try show(asserted, to: checks)
        } catch let error as JSONSyntaxError {
            issue(InputError(error, input: input, line: line.number))
        }
    }

    /// Passes a line to the checks that select it.
    ///
    /// - Throws: `JSONSyntaxError`, after all checks have run, if one of them could not parse the line;
    ///   ``CommandFailure``.
    private static func show(_ line: AssertedLine, to checks: [(Expectation, any ExpectationCheck)]) throws {
        var issue: JSONSyntaxError?
        for (expectation, check) in checks {
            do {
                if try expectation.means(line) { try check.take(line) }
            } catch let error as JSONSyntaxError {
                issue = error
            }
        }
        if let issue { throw issue }
    }

    @Sendable
    private static func shortForm(_ text: String) throws -> Expectation {
        guard let expectation = Expectation(shortForm: text) else {
            throw ValidationError(
                "write an event name and a count, such as 'search >= 1'; operators: ==, >=, <=, > and <")
        }
        return expectation
    }
}
