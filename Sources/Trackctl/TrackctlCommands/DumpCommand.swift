internal import ArgumentParser
internal import EventFormats

/// `trackctl dump`: events as JSON lines on standard output.
struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Writes events as they are or in another format, or into folders.",
        discussion: """
            Examples:
              trackctl dump events.sqlite
              trackctl dump events.sqlite --event 'page-*' --since yesterday --limit 10
              trackctl dump logs/ --user "$USER_ID" --event search -n 10
              trackctl dump events.jsonl.gz --where 'event.value.page >= 2' -o pretty
              trackctl dump logs/ -o csv --fields time:rfc3339,event.name,event.value.page
              trackctl dump events.sqlite -f '%{time:rfc3339} %{event.name}'
              trackctl dump events.sqlite --redact user_id=hash
              trackctl dump events.sqlite --cursor-file cursor >> copy.jsonl
              trackctl dump https://collector.example.com --since -1h --token-file token
              gunzip < events.jsonl.gz | trackctl dump -
              trackctl dump logs/ --partition 'dt=%Y-%m-%d/hour=%H' --into lake

            A line that holds no event is reported as file:line:column: reason, the rest goes on, and the exit \
            code is 65. Lines are looked at by their shape, up to the event's name; --strict parses them whole.

            --partition writes a file events.jsonl (or .csv and so on, by -o; .gz behind it with --gzip) into each \
            folder, as DuckDB, ClickHouse and Spark read them. The files get their names when all are complete. One that is there already is never \
            touched: the run is refused with 64 and leaves nothing, unless --append-run gives its files another name.
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup(title: "Collector") var collector: CollectorOptions

    @Flag(help: "The last event first.")
    var reverse = false

    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Partitions") var partitions: PartitionOptions

    @Option(
        name: [.customShort("f"), .customLong("format")],
        help: ArgumentHelp(
            "What is printed of each event: '%{time:rfc3339} %{event.name} %{event.value.page:-none}'.",
            valueName: "template"),
        transform: { try TypedOption.read($0, Template.init) })
    var template: Template?

    func validate() throws {
        guard partitions.partition != nil, let chosen = output.output else { return }
        // They keep back more of what they are given than can be kept of each partition.
        guard chosen != .table && chosen != .otlp else {
            throw ValidationError("-o \(chosen.rawValue) is not for --partition: choose another format")
        }
    }

    func run() async throws {
        var request = try EventRequest(paths: input.inputs, selection, window, collectors: collector.access)
        request.isReversed = reverse
        let format = try output.format(
            template: template, to: partitions.partition == nil ? .standardOutput : .ownFiles)
        guard let template = partitions.partition, let root = partitions.into else {
            return try LinesOutput.write(request, as: format)
        }
        let suffix = self.template == nil ? (output.output ?? .jsonl).fileExtension : "txt"
        let folder = PartitionedFolder(
            root, fileName: partitions.fileName(extension: suffix),
            format: try format ?? OutputFormat.jsonl.lineFormat(FormatOptions()), compresses: partitions.gzip)
        try PartitionRun(request: request, template: template, folder: folder).run()
    }
}
