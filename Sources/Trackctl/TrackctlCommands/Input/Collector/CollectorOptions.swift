internal import ArgumentParser

/// Options for reading a collector.
struct CollectorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            File with the collector's admin token; only you may have access to it (default: the variable \
            TRACKING_COLLECTOR_TOKEN).
            """, valueName: "file"))
    var tokenFile: String?

    var access: CollectorAccess { CollectorAccess(tokenFile: tokenFile) }
}
