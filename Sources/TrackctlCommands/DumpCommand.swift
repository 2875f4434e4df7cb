internal import ArgumentParser

/// `trackctl dump`: events as JSON lines on standard output.
struct DumpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Writes events as JSON lines to standard output, byte for byte.",
        discussion: """
            Examples:
              trackctl dump events.sqlite
              trackctl dump events.sqlite --event 'page-*' --since yesterday --limit 10
              trackctl dump logs/ --user 54495ACD-87C9-4A58-B123-D402FEE46060 --event search -n 10
              trackctl dump events.jsonl.gz --where 'event.value.page >= 2'
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

    func run() async throws {
        var request = try EventRequest(paths: input.inputs, selection, window)
        request.isReversed = reverse
        try LinesOutput.write(request)
    }
}
