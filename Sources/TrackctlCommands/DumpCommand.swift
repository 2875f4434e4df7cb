internal import ArgumentParser
internal import EventFormats

/// `trackctl dump`: events as JSON lines on standard output.
struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Writes events to standard output, as they are or in another format.",
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
              gunzip < events.jsonl.gz | trackctl dump -

            A line that holds no event is reported as file:line:column: reason, the rest goes on, and the exit \
            code is 65. Lines are looked at by their shape, up to the event's name; --strict parses them whole.
            """
    )

    @OptionGroup var input: InputOptions
    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions

    @Flag(help: "The last event first.")
    var reverse = false

    @OptionGroup(title: "Output") var output: OutputOptions

    @Option(
        name: [.customShort("f"), .customLong("format")],
        help: ArgumentHelp(
            "What is printed of each event: '%{time:rfc3339} %{event.name} %{event.value.page:-none}'.",
            valueName: "template"),
        transform: OutputOptions.template)
    var template: Template?

    func run() async throws {
        var request = try EventRequest(paths: input.inputs, selection, window)
        request.isReversed = reverse
        try LinesOutput.write(request, as: output.format(template: template))
    }
}
