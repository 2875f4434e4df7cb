internal import ArgumentParser
internal import EventQuery
internal import JSONLines
internal import LogFiles
internal import TextRendering

/// `trackctl merge`: merges logs by time.
struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge logs by time and remove duplicates.",
        discussion: """
            Examples:
              trackctl merge phone.sqlite tablet.sqlite > both.jsonl
              trackctl merge logs/ --to all.jsonl
              trackctl merge logs/ --since yesterday -o csv > day.csv
              trackctl merge a.jsonl b.jsonl.gz --keep-doubles

            Lines are copied byte for byte, sorted by time, then install, then number; lines equal in all three keep \
            their input order. Of several lines with the same id, only the first is kept, no matter how far apart \
            their times are. All lines with an empty or missing id are kept. A summary goes to standard error.

            An event of an event log is left out if its user has not agreed to the event's purpose, and has denied it or             has yet to answer. Left out events are counted on standard error, by reason and purpose.

            Memory use is constant: temporary files in TMPDIR take up to three times the size of the lines.

            A line without an event, time, install or number is skipped, and reported as file:line:column: reason; the \
            exit code is then 65.
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions

    @Option(
        help: ArgumentHelp(
            "New file, compressed if its name ends in .gz; or - for standard output.", valueName: "path"))
    var to = "-"

    @Flag(help: "Keep duplicates (lines with an id that an earlier line has).")
    var keepDoubles = false

    @OptionGroup(title: "Output") var output: OutputOptions

    func run() async throws {
        let format = try output.format(template: nil, to: to == "-" ? .standardOutput : .namedFile)
        var request = try EventRequest(paths: input.inputs, selection)
        request.held = .leftOut
        Interruption.listen()
        let (stream, console, summary) = try NewFile.withLines(to: to, of: "merge") { file in
            let console = Console(sharesTerminal: file == nil)
            let stream = EventStream(request, console: console)
            var lines = try read(stream)
            let writer = try EventWriter(format, to: file?.output ?? .standardOutput(for: format))
            while let line = try lines.next() {
                try Interruption.check()
                let name = stream.inputs[line.input].name
                try writer.write(line.bytes, number: line.number, of: name) { stream.note($0) }
            }
            try writer.flush()
            return (stream, console, report(lines, inputs: stream.inputs.count))
        }
        console.sayRest()
        console.complain(summary)
        try stream.conclude()
    }

    private func read(_ stream: EventStream) throws -> MergedLines {
        let merger = LineMerger(keepsDoubles: keepDoubles)
        let scanner = EventLineScanner([.id, .installID, .seq, .time])
        while let chunk = try stream.next() {
            try chunk.forEachLine { line in
                do {
                    let event = try scanner.scan(line.bytes)
                    let key = try MergeKey.bytes(of: event, input: chunk.input, number: line.number)
                    try merger.add(event, key: key)
                } catch let error as JSONSyntaxError {
                    stream.note(InputError(error, input: stream.inputs[chunk.input].name, line: line.number))
                }
                return true
            }
        }
        try Interruption.check()
        return try merger.merged()
    }

    private func report(_ lines: MergedLines, inputs: Int) -> String {
        let doubles = keepDoubles ? "duplicates kept" : "\(lines.dropped.counted("duplicate")) dropped"
        return "\(lines.count.counted("event")) of \(inputs.counted("input")), \(doubles)"
    }
}
