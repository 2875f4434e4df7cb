internal import ArgumentParser

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
