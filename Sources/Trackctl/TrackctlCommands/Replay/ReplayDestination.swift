internal import CommandSupport
internal import DeliveryProtocol
internal import Foundation
internal import LogFiles
internal import LogReplay
internal import Primitives

/// The target that `--to` names.
enum ReplayDestination: Equatable {
    case standardOutput
    case database(String)
    case newLinesFile(String)
    case endpoint(URL)
    /// The collector's origin, or its `/v1/events`.
    case collector(URL)
    /// `null:` accepts and discards everything.
    case nothing

    /// Determines the kind of target by the existing file, or by the name if there is none.
    ///
    /// - Throws: ``CommandFailure``, `usage`, for an invalid target.
    init(path: String) throws {
        if path == "-" {
            self = .standardOutput
        } else if path == "null:" {
            self = .nothing
        } else if CollectorAddress.isOne(path) {
            let url = try Self.url(path)
            let isCollector =
                url.query == nil && ["", "/"].contains(url.path) || url.path.hasSuffix(CollectorPath.events)
            self = isCollector ? .collector(url) : .endpoint(url)
        } else if !FileManager.default.fileExists(atPath: path) {
            self = LogPaths.isNamedLikeDatabase(path) ? .database(path) : .newLinesFile(path)
            // The reason is lost: unreadable files and folders are rejected below.
        } else if LogPaths.isNamedLikeDatabase(path) || (try? LogFileBlocks(path: path))?.format == .sqlite {
            self = .database(path)
        } else {
            throw CommandFailure(.usage, "\(path) exists and is not an event log: choose another name")
        }
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text), let host = url.host, !host.isEmpty else {
            throw CommandFailure(.usage, "write the endpoint as a URL such as https://collector.example/events")
        }
        // Messages would show the credentials, and the state file would store them.
        guard url.user == nil, url.password == nil else {
            throw CommandFailure(.usage, "pass credentials with --header 'Authorization: …', not in the endpoint's URL")
        }
        return url
    }

    /// Whether the target is remote and receives batches by HTTP.
    var isRemote: Bool {
        switch self {
        case .endpoint, .collector: true
        case .standardOutput, .database, .newLinesFile, .nothing: false
        }
    }

    /// Whether the target receives lines unchanged. Several batches can then be in flight.
    var takesLines: Bool { lineReading == .byShape }

    /// How lines are read for the target.
    var lineReading: LineReading {
        switch self {
        case .endpoint, .collector, .nothing: .byShape
        case .standardOutput, .newLinesFile: .whole
        case .database: .forRecords
        }
    }

    /// The target's name in the state file. A query may contain a key, so its digest is used.
    var stateName: String {
        switch self {
        case .standardOutput: "-"
        case .nothing: "null:"
        case .database(let path), .newLinesFile(let path): path
        case .endpoint(let url), .collector(let url):
            url.query.map { query in
                let start = url.absoluteString.prefix { $0 != "?" }
                return "\(start)?sha256=\(SHA256.hexadecimal(Array(query.utf8)).prefix(16))"
            } ?? url.absoluteString
        }
    }

    /// How to deliver the rest after a failure.
    var adviceAfterFailure: String {
        switch self {
        case .standardOutput: "the output is incomplete: run the same command again"
        case .database: "run the same command again for the rest: stored events are skipped"
        case .newLinesFile(let path): "\(path) was not written: run the same command again"
        case .endpoint, .collector, .nothing:
            "the same command starts from the first event; use --resume STATE to continue instead"
        }
    }
}

extension ReplayDestination {
    /// Opens the target.
    ///
    /// - Parameters:
    /// - isResumable: Whether to keep an unfinished file for resuming.
    /// - position: The position to resume a file at, in bytes; nil for a new file.
    /// - isPrompt: Whether to write each batch immediately.
    /// - logs: The installs whose batches a collector receives as sent by the app.
    /// - access: The token for a collector, and the trusted certificates.
    /// - Throws: `EventLogError`, `DeliverySetupError`, `ReplayError` or ``CommandFailure``.
    func open(
        isResumable: Bool, position: Int64?, isPrompt: Bool, _ delivery: DeliveryOptions, _ plan: ReplayPlan,
        logs: [SealedLog], access: CollectorAccess
    ) throws -> any ReplaySink {
        switch self {
        case .standardOutput: StandardOutputTarget(isPrompt: isPrompt)
        case .database(let path): try DatabaseTarget(path: path)
        case .newLinesFile(let path):
            LinesFileTarget(
                isResumable
                    ? try UnfinishedFile(resumablePath: path, position: position) : try UnfinishedFile(path: path),
                isPrompt: isPrompt)
        case .endpoint(let url):
            try EndpointSink(
                delivery.request(url: url, connections: plan.lanes, tokenFile: access.tokenFile, asksForToken: false),
                makeTransport: access.makeTransport)
        case .collector(let url):
            try CollectorSink(
                delivery.request(url: url, connections: plan.lanes, tokenFile: access.tokenFile, asksForToken: true),
                logs: logs, makeTransport: access.makeTransport)
        case .nothing: NullSink()
        }
    }

    /// Opens a local target: a log, a new file or standard output.
    ///
    /// - Throws: `EventLogError` or ``CommandFailure``: `usage` for an endpoint.
    func openLocally() throws -> any ReplaySink {
        switch self {
        case .standardOutput: StandardOutputTarget(isPrompt: false)
        case .database(let path): try DatabaseTarget(path: path)
        case .newLinesFile(let path): LinesFileTarget(try UnfinishedFile(path: path), isPrompt: false)
        case .nothing: NullSink()
        case .endpoint, .collector:
            throw CommandFailure(
                .usage, "cannot write to an endpoint: write a file, and send it with 'trackctl replay'")
        }
    }
}
