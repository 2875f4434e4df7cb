internal import ArgumentParser
internal import CommandSupport
internal import Foundation
internal import LogReplay

/// How events are brought to the target.
struct DeliveryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            How many batches may be under way; all of a user's events take the same lane. One that has to wait stops the \
            others only when 8 MiB wait (default: 4 for an endpoint).
            """,
            valueName: "count"))
    var lanes: Int?

    @Option(help: ArgumentHelp("Events in a batch at most.", valueName: "count"))
    var batchEvents = 500

    @Option(help: ArgumentHelp("Bytes of a batch at most; a longer line goes alone.", valueName: "count"))
    var batchBytes = 500_000

    @Option(
        help: ArgumentHelp(
            "How far apart the events of a batch may be due (default: 100ms; 1ms for a file and standard output).",
            valueName: "duration"),
        transform: DurationText.duration)
    var linger: Duration?

    @Option(
        name: .customLong("on-error"),
        help: ArgumentHelp(
            "Events that the endpoint refuses: stop, skip, or dlq=FILE to put them aside.", valueName: "rule"),
        transform: Self.rule)
    var onError = OnError.stop

    @Option(
        help: ArgumentHelp(
            "How long a batch is tried that the endpoint does not take now.", valueName: "duration"),
        transform: DurationText.duration)
    var retryFor: Duration = .seconds(60)

    @Option(
        help: ArgumentHelp("How long it may take to send a batch and to be answered.", valueName: "duration"),
        transform: DurationText.duration)
    var timeout: Duration = .seconds(30)

    @Option(
        name: .customLong("header"),
        help: ArgumentHelp("A header of each request. Several: all of them.", valueName: "name: value"),
        transform: Self.header)
    var headers: [Header] = []

    @Flag(help: "Compress what is posted to an endpoint.")
    var gzip = false

    /// What becomes of events that are refused.
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
        guard timeout > .zero else { throw ValidationError("--timeout must be longer than nothing") }
    }

    /// What makes no sense for a target.
    ///
    /// - Throws: ``CommandFailure``, `usage`.
    func check(for destination: ReplayDestination) throws {
        guard lanes ?? 1 == 1 || destination.takesLines else {
            throw CommandFailure(.usage, "--lanes is for an endpoint: anything else takes one batch at a time")
        }
        guard !destination.isRemote else { return }
        guard !gzip, headers.isEmpty, onError == .stop else {
            throw CommandFailure(.usage, "--gzip, --header and --on-error are for an endpoint: leave them out")
        }
    }

    /// How many lanes there are.
    func laneCount(for destination: ReplayDestination) -> Int {
        switch destination {
        case .endpoint: lanes ?? 4
        // The batches of a log are in the order of its numbers.
        case .collector, .standardOutput, .database, .newLinesFile, .nothing: lanes ?? 1
        }
    }

    /// When a batch is full.
    func limits(for destination: ReplayDestination) -> BatchLimits {
        let usual: Duration =
            switch destination {
            case .standardOutput, .newLinesFile, .nothing: .milliseconds(1)
            case .database, .endpoint, .collector: .milliseconds(100)
            }
        return BatchLimits(events: batchEvents, bytes: batchBytes, linger: linger ?? usual)
    }

    /// The file that refused events are put aside in.
    var deadLetters: String? { if case .deadLetters(let path) = onError { path } else { nil } }

    /// What becomes of refused events.
    var rule: RefusalRule {
        switch onError {
        case .stop: .stop
        case .skip: .skip
        case .deadLetters(let path): .putAside(DeadLetterFile(path: path))
        }
    }

    /// How batches are posted.
    ///
    /// - Parameter asksForToken: Whether the endpoint is a collector: it gets the token of the environment, too, unless a
    ///   header of your own authorizes the request, and compressed bodies.
    /// - Throws: ``CommandFailure`` without a token that is needed.
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
                throw ValidationError("--on-error is stop, skip or dlq=FILE")
            }
            return .deadLetters(String(text.dropFirst(4)))
        }
    }

    /// What tells of the connection or of a body is not for all requests alike.
    private static let ownHeaders: Set = [
        "connection", "content-encoding", "content-length", "host", "idempotency-key", "transfer-encoding",
    ]

    @Sendable
    private static func header(_ text: String) throws -> Header {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        guard parts.count == 2, isPlain, !parts[0].isEmpty, !parts[0].contains(" ") else {
            throw ValidationError("write a header like 'Authorization: Bearer …'")
        }
        guard !ownHeaders.contains(parts[0].lowercased()) else {
            throw ValidationError("--header cannot set \(parts[0]): each request has its own")
        }
        return Header(name: String(parts[0]), value: parts[1].trimmingCharacters(in: .whitespaces))
    }
}
