internal import ArgumentParser

/// Options for writing events to partitioned folders.
struct PartitionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Write to files in folders named by this template, such as 'dt=%Y-%m-%d/hour=%H'. %Y %m %d %H %M %j are the \
            event's time in UTC; %{event.name} is a value; %% is a percent sign.
            """, valueName: "template"),
        transform: { try TypedOption.read($0, PartitionTemplate.init) })
    var partition: PartitionTemplate?

    @Option(help: ArgumentHelp("Root folder for --partition.", valueName: "folder"))
    var into: String?

    @Flag(help: "Compress the files of --partition: events.jsonl.gz.")
    var gzip = false

    @Option(
        help: ArgumentHelp(
            "Name the files of --partition events-RUN, to add them to the files of earlier runs.", valueName: "run"))
    var appendRun: String?

    func validate() throws {
        guard (partition == nil) == (into == nil) else {
            throw ValidationError("--partition TEMPLATE and --into FOLDER need each other: pass both")
        }
        guard into != "" else { throw ValidationError("--into must not be empty: write . for the current folder") }
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
            throw ValidationError("--append-run must be 1 to 64 letters, digits, '-', '_' or '.', such as 2018-09-12")
        }
    }

    func fileName(extension suffix: String) -> String {
        "events\(appendRun.map { "-\($0)" } ?? "").\(suffix)\(gzip ? ".gz" : "")"
    }
}
