internal import CollectorIntake
internal import CollectorReading
internal import CollectorStore
internal import DeliveryProtocol
internal import JSONSchema
internal import Logging
internal import TextRendering
internal import TrackingPlan

/// What a client can cost a collector: `collector limits` prints the table, and `tools/manual/run` writes it into
/// `Running.md` and `openapi.json`.
package struct Limit: Sendable {
    package let subject: String
    package let value: String
    /// The response, or what happens instead.
    package let consequence: String

    private init(_ subject: String, _ value: String, exceeded: String) {
        self.subject = subject
        self.value = value
        consequence = exceeded
    }

    /// The most bytes of a request's header, and the most of its fields.
    static let headerBytes = 32 << 10
    static let headerFields = 100

    /// All limits with the default settings, in Markdown.
    package static let all: [Limit] = requests + quotas + memory

    private static let settings = CollectorSettings(folder: "", logger: .init(label: "limits"))

    private static let requests: [Limit] = {
        let limits = settings.limits
        let clients = settings.clientLimits
        return [
            Limit("body, decompressed", bytes(limits.maximumBytes), exceeded: "413; decompression stops at the limit"),
            Limit("compression ratio", "\(limits.maximumRatio), from \(bytes(limits.ratioFloor)) on", exceeded: "413"),
            Limit("events in a request", limits.maximumEvents.grouped, exceeded: "413"),
            Limit(
                "batch header",
                """
                \(bytes(limits.maximumHeaderBytes)), \(limits.maximumMissing.grouped) ranges in `missing`, \
                \(limits.maximumLedgerRows.grouped) rows in `ledger`
                """, exceeded: "413"),
            Limit(
                "line", "\(bytes(LineChecker.maximumLength)), \(JSONLimits().maximumDepth) levels of JSON",
                exceeded: "the line is rejected"),
            Limit(
                "line, with `--forward`", "`max_payload` of the NATS servers less 6 KiB",
                exceeded: "413, or the message is rejected"),
            Limit(
                "other systems' clients",
                """
                \(bytes(clients.maximumBytes)), \(clients.maximumEvents.grouped) messages, \
                \(bytes(IntakeLimits.maximumMessageBytes)) for a message with what it shares, work of \
                \(IntakeLimits.workPerByte) times the body's bytes
                """, exceeded: "413; a long message is rejected alone"),
            Limit(
                "texts", "no U+0000; install ids, reasons and names without control characters",
                exceeded: "400, or the line is rejected"),
            Limit("number of an event", "\(limits.highestSeq.grouped) (2^53 − 2^32)", exceeded: "413"),
            Limit(
                "steps for checking a request's events against their schemas",
                "\(IntakeLimits.maximumSteps.grouped) in all, \(LineChecker.maximumSteps.grouped) an event",
                exceeded: "413; the event is stored as *unvalidated*"),
            Limit(
                "rows of the index that a batch reads and writes: ranges of numbers, users, schemas, hashes",
                BatchStore.maximumRows.grouped,
                exceeded: "413"),
            Limit(
                "erasure by an install",
                "\(bytes(ErasureRoute.maximumBytes)), \(InstallErasure.maximumRanges.grouped) ranges of numbers",
                exceeded: "413"),
            Limit(
                "request header",
                "\(bytes(headerBytes)), \(headerFields) fields, \(seconds(settings.headerTimeout)) (`--header-timeout`)",
                exceeded: "400, 408"),
            Limit("request body", "\(seconds(settings.bodyTimeout)) (`--body-timeout`)", exceeded: "408"),
            Limit("idle connection", "\(seconds(settings.idleTimeout)) (`--idle-timeout`)", exceeded: "closed"),
        ]
    }()

    private static let quotas: [Limit] = [
        Limit(
            "events per key and per install; each range in `missing` and each row in `ledger` counts as one",
            """
            `--key-rate`, `--install-rate`: \(settings.keyQuota.perSecond.grouped) and \
            \(settings.installQuota.perSecond.grouped) a second
            """, exceeded: "429"),
        Limit(
            "decompressed bytes per key and per install",
            "\(IntakeLimits.bytesPerEvent.grouped) for each event of these rates",
            exceeded: "429"),
        Limit(
            "installs that were not acknowledged on an earlier day (UTC)",
            "half of the burst of `--key-rate` stays for the others", exceeded: "429"),
        Limit(
            "one address, once a quarter of the burst is used; not with `--trusted-proxy`", "a quarter of `--key-rate`",
            exceeded: "429"),
        Limit(
            "rejected requests of an address with a key; not with `--trusted-proxy`",
            "a quarter of `--key-rate`, by events, ranges, rows and bytes",
            exceeded: "429, before a body is decompressed"),
        Limit(
            "ranges of numbers and ledger rows of an install", BatchStore.maximumRanges.grouped,
            exceeded: "429, except for batches that continue its numbers"),
        Limit("bytes kept of a rejected line", bytes(Submission.keptBytes), exceeded: "the rest is dropped"),
        Limit(
            "segments and index", "`--max-bytes`, by default 80 % of the file system",
            exceeded: "503; nothing is removed"),
        Limit(
            "names in the statistics that are not of the plan",
            """
            \(ArrivalStatistics.maximumTexts.grouped) of events, schemas and rules, \
            \(ArrivalStatistics.maximumTexts.grouped) of apps; each for 7 days after it arrived last
            """, exceeded: "counted as `(other)`; an app under the name of its key"),
    ]

    private static let memory: [Limit] = [
        Limit(
            "concurrent requests", "\(settings.maximumRequests.grouped); of an address as many as it leaves for others",
            exceeded: "503"),
        Limit(
            "requests that have not named a known key",
            """
            \(KeylessRequests.maximum), \(KeylessRequests.maximumPerAddress) of an address without `--trusted-proxy`; \
            \(bytes(WriteKeyScanner.maximumBytes)) of the body, \(seconds(settings.keylessTimeout))
            """, exceeded: "503; 401, 408"),
        Limit(
            "request bodies in memory, in total",
            "\(bytes(settings.maximumBodyBytes)); of an address as much as it leaves for others", exceeded: "503"),
        Limit(
            "answers that clients do not read",
            "one of less than 1 MiB on each connection, \(bytes(settings.maximumAnswerBytes)) in total",
            exceeded: "the next request is not read; the connections with the most are closed"),
        Limit(
            "`missing` in a receipt", "\(Receipt.maximumMissing) ranges",
            exceeded: "`has_more_missing` is true; the next receipts list the next ranges"),
        Limit(
            "details of rejected lines in a receipt", bytes(IntakeLimits.maximumDetailBytes),
            exceeded: "further ones have only their number and code"),
        Limit(
            "connections", "\(settings.maximumConnections.grouped) (`--maximum-connections`), or the system's limit",
            exceeded: "new connections wait in the system's queue"),
    ]

    /// `900,000 bytes`, `64 KiB`.
    private static func bytes(_ count: Int) -> String {
        for (unit, name) in [(1 << 20, "MiB"), (1 << 10, "KiB")] where count.isMultiple(of: unit) {
            return "\(count / unit) \(name)"
        }
        return "\(count.grouped) bytes"
    }

    private static func seconds(_ time: Duration) -> String { "\(time.components.seconds) s" }
}
