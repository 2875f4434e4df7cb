internal import CommandSupport
internal import DeliveryProtocol
internal import Foundation
internal import LogFiles
internal import LogReplay
internal import Primitives

/// What `--to` names.
enum ReplayDestination: Equatable {
    case standardOutput
    case database(String)
    case newLinesFile(String)
    case endpoint(URL)
    /// By its origin, or its `/v1/events`.
    case collector(URL)
    /// `null:` takes everything and keeps nothing.
    case nothing

    /// Tells it by what stands at the path, or by the name if nothing does.
    ///
    /// - Throws: ``CommandFailure``, `usage`, for what cannot be written to.
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
        } else if LogPaths.isNamedLikeDatabase(path) || (try? LogFileBlocks(path: path))?.format == .sqlite {
            // Unreadable or a folder counts as no database here, and is refused below.
            self = .database(path)
        } else {
            throw CommandFailure(.usage, "\(path) exists and is not an event log: choose another name")
        }
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text), let host = url.host, !host.isEmpty else {
            throw CommandFailure(.usage, "write the endpoint like https://collector.example/events")
        }
        // It would be shown in messages and kept in the state.
        guard url.user == nil, url.password == nil else {
            throw CommandFailure(.usage, "give credentials by --header 'Authorization: …', not in the endpoint's URL")
        }
        return url
    }

    /// Whether it is somewhere else, and gets batches by HTTP.
    var isRemote: Bool {
        switch self {
        case .endpoint, .collector: true
        case .standardOutput, .database, .newLinesFile, .nothing: false
        }
    }

    /// Whether lines are sent on as they are. Several batches may be under way then.
    var takesLines: Bool { lineReading == .byShape }

    /// How lines are read for it.
    var lineReading: LineReading {
        switch self {
        case .endpoint, .collector, .nothing: .byShape
        case .standardOutput, .newLinesFile: .whole
        case .database: .forRecords
        }
    }

    /// What the state of a replay calls it. A query may hold a key, so its digest stands for it.
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

    /// What a person does after a failure to get the rest.
    var adviceAfterFailure: String {
        switch self {
        case .standardOutput: "the output is not complete: run the same command again"
        case .database: "run the same command again for the rest: what is stored is skipped"
        case .newLinesFile(let path): "\(path) was not made: run the same command again"
        case .endpoint, .collector, .nothing:
            "the same command starts from the first event again; --resume STATE keeps the place"
        }
    }
}

extension ReplayDestination {
    /// Opens it.
    ///
    /// - Parameters:
    ///   - isResumable: Whether a file is to be gone on with if the replay does not come to its end.
    ///   - position: Where a file is gone on with, in bytes; nil for a new one.
    ///   - isPrompt: Whether each batch is handed over as it comes.
    ///   - logs: The installs whose own batches a collector gets.
    ///   - tokenFile: The file with the token for a collector; nil to read it from the environment.
    /// - Throws: `EventLogError`, `DeliverySetupError`, `ReplayError` or ``CommandFailure``.
    func open(
        isResumable: Bool, position: Int64?, isPrompt: Bool, _ delivery: DeliveryOptions, _ plan: ReplayPlan,
        logs: [SealedLog], tokenFile: String?
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
                delivery.request(url: url, connections: plan.lanes, tokenFile: tokenFile, asksForToken: false))
        case .collector(let url):
            try CollectorSink(
                delivery.request(url: url, connections: plan.lanes, tokenFile: tokenFile, asksForToken: true),
                logs: logs)
        case .nothing: NullSink()
        }
    }

    /// Opens it for events that are made here and now: a log, a new file or standard output.
    ///
    /// - Throws: `EventLogError` or ``CommandFailure``: `usage` for an endpoint.
    func openLocally() throws -> any ReplaySink {
        switch self {
        case .standardOutput: StandardOutputTarget(isPrompt: false)
        case .database(let path): try DatabaseTarget(path: path)
        case .newLinesFile(let path): LinesFileTarget(try UnfinishedFile(path: path), isPrompt: false)
        case .nothing: NullSink()
        case .endpoint, .collector:
            throw CommandFailure(.usage, "this writes no endpoint: name a file, and send that by 'trackctl replay'")
        }
    }
}
