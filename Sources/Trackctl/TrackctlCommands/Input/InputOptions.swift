internal import ArgumentParser

/// What a command reads.
struct InputOptions: ParsableArguments {
    static let help = ArgumentHelp(
        """
        Event logs, files of JSON lines (plain, gzip or zstd), folders of them, patterns in quotes; - is standard input.
        """, valueName: "inputs")

    @Argument(help: Self.help)
    var inputs: [String]
}
