internal import ArgumentParser

/// The inputs of a command.
struct InputOptions: ParsableArguments {
    static let help = ArgumentHelp(
        """
        Event logs, files of JSON lines (plain, gzip or zstd), folders of them, or quoted patterns; - for \
        standard input.
        """, valueName: "inputs")

    @Argument(help: Self.help)
    var inputs: [String]
}
