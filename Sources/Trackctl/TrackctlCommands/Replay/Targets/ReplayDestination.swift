internal import CommandSupport
internal import Foundation
internal import LogFiles
internal import Primitives

/// What `--to` names.
enum ReplayDestination: Equatable {
    case standardOutput
    case database(String)
    case newLinesFile(String)
    case endpoint(URL)
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
        } else if path.lowercased().hasPrefix("http://") || path.lowercased().hasPrefix("https://") {
            self = .endpoint(try Self.url(path))
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

    /// Whether lines are sent on as they are. Several batches may be under way then.
    var takesLines: Bool { lineReading == .byShape }

    /// How lines are read for it.
    var lineReading: LineReading {
        switch self {
        case .endpoint, .nothing: .byShape
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
        case .endpoint(let url):
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
        case .endpoint, .nothing: "the same command starts from the first event again; --resume STATE keeps the place"
        }
    }
}
