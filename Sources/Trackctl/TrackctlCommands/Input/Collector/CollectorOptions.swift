internal import ArgumentParser

/// Options for reading a collector.
struct CollectorOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            File with the collector's admin token; its mode must be 0600 or stricter (default: the token in \
            TRACKING_COLLECTOR_TOKEN).
            """, valueName: "file"))
    var tokenFile: String?

    var access: CollectorAccess { CollectorAccess(tokenFile: tokenFile) }
}
