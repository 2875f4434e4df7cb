internal import ArgumentParser
internal import CommandSupport
internal import Foundation
internal import LogReplay

/// Options for delivering events to the target.
struct DeliveryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Number of parallel deliveries. All events of a user use the same lane. A slow lane stops the others only \
            when 8 MiB of batches are queued (default: 4 for an endpoint).
            """,
            valueName: "count"))
    var lanes: Int?

    @Option(help: ArgumentHelp("Maximum number of events in a batch.", valueName: "count"))
    var batchEvents = 500

    @Option(help: ArgumentHelp("Maximum number of bytes in a batch; a longer line is sent alone.", valueName: "count"))
    var batchBytes = 500_000

    @Option(
        help: ArgumentHelp(
            """
            Maximum time between the first and the last event of a batch (default: 100ms; 1ms for a file and standard \
            output).
            """,
            valueName: "duration"),
        transform: DurationText.duration)
    var linger: Duration?

    @Option(
        name: .customLong("on-error"),
        help: ArgumentHelp(
            """
            When the endpoint rejects events: stop, skip, or dlq=FILE to write them to a file (default: stop).
            """, valueName: "rule"),
        transform: Self.rule)
    var onError = OnError.stop

    @Option(
        help: ArgumentHelp(
            "How long to retry a batch after transient errors (default: 60s).", valueName: "duration"),
        transform: DurationText.duration)
    var retryFor: Duration = .seconds(60)

    @Option(
        help: ArgumentHelp(
            """
            Time limit for sending a batch and receiving the response (default: 30s).
            """, valueName: "duration"),
        transform: DurationText.duration)
    var timeout: Duration = .seconds(30)

    @Option(
        name: .customLong("header"),
        help: ArgumentHelp("Header of each request. Repeatable.", valueName: "name: value"),
        transform: Self.header)
    var headers: [Header] = []

    @Flag(help: "Compress the requests to an endpoint.")
    var gzip = false

    /// What to do with rejected events.
    enum OnError: Equatable {
        case stop
        case skip
        case deadLetters(String)
    }

    struct Header {
        let name: String
        let value: String
    }

    func validate() throws {
        guard (1...256).contains(lanes ?? 1) else { throw ValidationError("--lanes must be between 1 and 256") }
        guard batchEvents > 0 else { throw ValidationError("--batch-events must be at least 1") }
        guard batchBytes > 0 else { throw ValidationError("--batch-bytes must be at least 1") }
        guard timeout > .zero else { throw ValidationError("--timeout must be greater than zero") }
    }

    /// Rejects options that don't apply to a target.
    ///
    /// - Throws: ``CommandFailure``, `usage`.
    func check(for destination: ReplayDestination) throws {
        guard lanes ?? 1 == 1 || destination.takesLines else {
            throw CommandFailure(.usage, "--lanes needs an endpoint: other targets receive one batch at a time")
        }
        guard !destination.isRemote else { return }
        guard !gzip, headers.isEmpty, onError == .stop else {
            throw CommandFailure(.usage, "--gzip, --header and --on-error need an endpoint: remove them")
        }
    }

    /// The number of lanes.
    func laneCount(for destination: ReplayDestination) -> Int {
        switch destination {
        case .endpoint: lanes ?? 4
        // A log's batches must arrive in number order.
        case .collector, .standardOutput, .database, .newLinesFile, .nothing: lanes ?? 1
        }
    }

    func limits(for destination: ReplayDestination) -> BatchLimits {
        let usual: Duration =
            switch destination {
            case .standardOutput, .newLinesFile, .nothing: .milliseconds(1)
            case .database, .endpoint, .collector: .milliseconds(100)
            }
        return BatchLimits(events: batchEvents, bytes: batchBytes, linger: linger ?? usual)
    }

    /// The file for rejected events; nil unless `--on-error dlq=FILE` is set.
    var deadLetters: String? { if case .deadLetters(let path) = onError { path } else { nil } }

    /// The rule for rejected events.
    var rule: RefusalRule {
        switch onError {
        case .stop: .stop
        case .skip: .skip
        case .deadLetters(let path): .putAside(DeadLetterFile(path: path))
        }
    }

    /// The options of requests.
    ///
    /// - Parameter asksForToken: Whether the endpoint is a collector. Its requests are compressed and carry the token
    ///   from the environment, unless an `Authorization` header is set.
    /// - Throws: ``CommandFailure`` if a required token is missing.
    func request(
        url: URL, connections: Int, tokenFile: String?, asksForToken: Bool
    ) throws -> HTTPRequestOptions {
        var options = HTTPRequestOptions(url: url)
        options.headers = headers.map { ($0.name, $0.value) }
        options.compresses = gzip || asksForToken
        let isAuthorized = headers.contains { $0.name.lowercased() == "authorization" }
        if !isAuthorized, asksForToken || tokenFile != nil {
            options.key = try AdminToken.read(file: tokenFile, for: options.shownURL)
        }
        options.timeout = timeout
        options.connections = connections
        return options
    }

    @Sendable
    private static func rule(_ text: String) throws -> OnError {
        switch text {
        case "stop": return .stop
        case "skip": return .skip
        default:
            guard text.hasPrefix("dlq="), text.count > 4 else {
                throw ValidationError("--on-error must be stop, skip or dlq=FILE")
            }
            return .deadLetters(String(text.dropFirst(4)))
        }
    }

    /// Headers that differ between requests or describe the connection.
    private static let ownHeaders: Set = [
        "connection", "content-encoding", "content-length", "host", "idempotency-key", "transfer-encoding",
    ]

    @Sendable
    private static func header(_ text: String) throws -> Header {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard parts.count == 2, isPlain, !parts[0].isEmpty, !parts[0].contains(" ") else {
            throw ValidationError("write a header such as 'Authorization: Bearer …'")
        }
        guard !ownHeaders.contains(parts[0].lowercased()) else {
            throw ValidationError("--header cannot set \(parts[0]): trackctl sets it for each request")
        }
        return Header(name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
    }
}
