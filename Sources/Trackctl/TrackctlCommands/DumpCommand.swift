internal import ArgumentParser
internal import EventFormats

/// `trackctl dump`: prints events as JSON lines.
struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Print events, convert them, or write them to partitioned folders.",
        discussion: """
            Examples:
              trackctl dump events.sqlite
              trackctl dump events.sqlite --event 'page-*' --since yesterday --limit 10
              trackctl dump logs/ --user "$USER_ID" --event search -n 10
              trackctl dump events.jsonl.gz --where 'event.value.page >= 2' -o pretty
              trackctl dump logs/ -o csv --fields time:rfc3339,event.name,event.value.page
              trackctl dump events.sqlite -f '%{time:rfc3339} %{event.name}'
              trackctl dump events.sqlite --redact user_id=hash
              trackctl dump events.sqlite --held
              trackctl dump events.sqlite --cursor-file cursor >> copy.jsonl
              trackctl dump https://collector.example.com --since -1h --token-file token
              gunzip < events.jsonl.gz | trackctl dump -
              trackctl dump logs/ --partition 'dt=%Y-%m-%d/hour=%H' --into lake

            A line without an event is skipped, and reported as file:line:column: reason; the exit code is then 65. By \
            default only the members that the command needs are parsed; --strict parses each line in full.

            Held events are in an event log, and are not delivered because of their users' consent: consent-unknown (no             answer yet for the event's purpose), opted-out or unanswered (denied, or signed out without an answer:             removed when the log is next open). --held also counts them on standard error, by reason and purpose.

            --partition writes one file to each folder: events.jsonl (-o sets the extension; --gzip adds .gz). DuckDB, \
            ClickHouse and Spark can read this layout. The files get their final names once all of them are complete. \
            Existing files are never overwritten: the run then fails with exit code 64 and writes nothing, unless \
            --append-run gives its files different names.
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup(title: "Collector") var collector: CollectorOptions

    @Flag(help: "Newest first.")
    var reverse = false

    @Flag(help: "Only events of event logs that are held because of their users' consent.")
    var held = false

    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Partitions") var partitions: PartitionOptions

    @Option(
        name: [.customShort("f"), .customLong("format")],
        help: ArgumentHelp(
            "Template for each event: '%{time:rfc3339} %{event.name} %{event.value.page:-none}'.",
            valueName: "template"),
        transform: { try TypedOption.read($0, Template.init) })
    var template: Template?

    func validate() throws {
        guard partitions.partition != nil, let chosen = output.output else { return }
        // These formats need more memory than a run can spend on each partition.
        guard chosen != .table && chosen != .otlp else {
            throw ValidationError("-o \(chosen.rawValue) cannot be used with --partition: choose another format")
        }
    }

    func run() async throws {
        var request = try EventRequest(paths: input.inputs, selection, window, collectors: collector.access)
        request.isReversed = reverse
        if held { request.held = .only }
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
