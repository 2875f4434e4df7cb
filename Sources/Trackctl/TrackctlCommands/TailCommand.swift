internal import ArgumentParser
internal import EventFormats
internal import EventQuery
internal import Foundation
internal import LogFiles

/// `trackctl tail`: the last events, and those that come.
struct TailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tail",
        abstract: "Shows the last events, and with -f each new one as it is sent.",
        discussion: """
            Examples:
              trackctl tail events.sqlite
              trackctl tail -f events.sqlite --event search
              trackctl tail -f logs/ --where 'event.value.page > 1' -n 100
              trackctl tail -f events.jsonl --cursor-file cursor >> copy.jsonl

            An event log is followed while an app writes it, events in its journal included. A file is followed \
            through rotation: what was left in the old one comes first, then the new one. A folder is followed with \
            the files that come into it. A file that was cut is read from its start again, and that is said. What is not \
            there yet is waited for, if its folder is.

            On a terminal events are shown as a table, else as JSON lines; -o chooses.

            Nothing is asked again and again: the system tells what changes. Ctrl-C ends it, with exit code 130.
            """
    )

    private static let defaultLast = 10

    @OptionGroup var input: InputOptions

    @Flag(name: [.customShort("f"), .long], help: "Go on with what comes.")
    var follow = false

    @OptionGroup(title: "Selection") var selection: SelectionOptions
    @OptionGroup(title: "Window") var window: WindowOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "What is printed of each event: '%{time:rfc3339} %{event.name}'.", valueName: "template"),
        transform: { try TypedOption.read($0, Template.init) })
    var format: Template?

    func run() async throws {
        var request = try EventRequest(paths: follow ? [] : input.inputs, selection, window)
        if request.selection.after == nil { request.last = request.last ?? Self.defaultLast }
        let lines = try output.format(template: format, standard: Terminal.isOutput ? .table : .jsonl)
        guard follow else { return try LinesOutput.write(request, as: lines) }
        guard !input.inputs.contains("-") else {
            throw ValidationError(
                "-f follows files: read standard input by 'trackctl dump -', which passes lines on at once")
        }
        request.paths = input.inputs
        try TailRun(request, as: lines).run()
    }
}
