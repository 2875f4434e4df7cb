internal import ArgumentParser

/// How a collector is read.
struct CollectorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Read the collector's admin token from this file, which only you may read (default: the variable \
            TRACKING_COLLECTOR_TOKEN).
            """, valueName: "file"))
    var tokenFile: String?

    /// What was asked for.
    var access: CollectorAccess { CollectorAccess(tokenFile: tokenFile) }
}
