internal import ArgumentParser
internal import CommandSupport
internal import EventQuery
internal import JSONLines
internal import LogFiles
internal import TextRendering

/// Whether events go into folders, and into which.
struct PartitionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Write folders by this template instead of standard output: 'dt=%Y-%m-%d/hour=%H'. Of the time in UTC: %Y \
            %m %d %H %M %j; %{event.name} is a value; %% is a percent sign.
            """, valueName: "template"),
        transform: { try TypedOption.read($0, PartitionTemplate.init) })
    var partition: PartitionTemplate?

    @Option(help: ArgumentHelp("Where the folders of --partition are written.", valueName: "folder"))
    var into: String?

    @Flag(help: "Compress the files of --partition: events.jsonl.gz.")
    var gzip = false

    @Option(
        help: ArgumentHelp(
            "Name the files of --partition events-RUN, beside those of other runs.", valueName: "run"))
    var appendRun: String?

    func validate() throws {
        guard (partition == nil) == (into == nil) else {
            throw ValidationError("--partition TEMPLATE and --into FOLDER go together: give both")
        }
        guard into != "" else { throw ValidationError("--into names no folder: write . for this one") }
        guard !gzip || partition != nil else { throw ValidationError("--gzip is for --partition only") }
        guard let appendRun else { return }
        guard partition != nil else { throw ValidationError("--append-run is for --partition only") }
        let isName = appendRun.utf8.allSatisfy { byte in
            switch UInt8(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isName, (1...64).contains(appendRun.utf8.count) else {
            throw ValidationError("--append-run takes up to 64 letters, digits, '-', '_' and '.', such as 2018-09-12")
        }
    }

    /// The file in each folder.
    func fileName(extension suffix: String) -> String {
        "events\(appendRun.map { "-\($0)" } ?? "").\(suffix)\(gzip ? ".gz" : "")"
    }
}

/// Writes the events that were asked for into the folders of a template.
struct PartitionRun {
    let request: EventRequest
    let template: PartitionTemplate
    let folder: PartitionedFolder

    /// Writes all of them. Of a run that fails before all files are complete, nothing is left.
    ///
    /// - Throws: ``CommandFailure``; `ExitCode` for what has been reported.
    func run() throws {
        Interruption.listen()
        let console = Console()
        let stream = EventStream(request, console: console)
        do {
            try CommandFailure.advising(ifInterrupted: "nothing was written: run the same command again") {
                let count = try write(stream)
                try folder.finish()
                console.complain("\(count.counted("event")) in \(folder.count.counted("partition"))")
            }
        } catch {
            folder.abandon()
            throw error
        }
        try stream.conclude()
    }

    private func write(_ stream: EventStream) throws -> Int {
        let scanner = EventLineScanner(template.usesTime ? .time : [])
        var count = 0
        while let chunk = try stream.next() {
            try chunk.forEachLine { line in
                do {
                    let event = try scanner.scan(line.bytes)
                    try folder.append(line.bytes, to: template.folder(of: event))
                    count += 1
                } catch let error as JSONSyntaxError {
                    stream.note(InputFault(error, input: stream.inputs[chunk.input].name, line: line.number))
                }
                return true
            }
        }
        return count
    }
}
