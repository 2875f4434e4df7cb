internal import CommandSupport
internal import Foundation
internal import LogFiles

/// What `--to` names.
enum ReplayDestination: Equatable {
    case standardOutput
    case database(String)
    case newLinesFile(String)

    /// Tells it by what stands at the path, or by the name if nothing does.
    ///
    /// - Throws: ``CommandFailure``, `usage`, for what cannot be written to.
    init(path: String) throws {
        if path == "-" {
            self = .standardOutput
        } else if !FileManager.default.fileExists(atPath: path) {
            if LogPaths.isNamedLikeDatabase(path) {
                self = .database(path)
            } else if path.lowercased().hasSuffix(".gz") {
                throw CommandFailure(
                    .usage, "\(path) would not be compressed: choose a name without .gz, and use gzip afterwards")
            } else {
                self = .newLinesFile(path)
            }
        } else if LogPaths.isNamedLikeDatabase(path) || (try? LogFileBlocks(path: path))?.format == .sqlite {
            // Unreadable or a folder counts as no database here, and is refused below.
            self = .database(path)
        } else {
            throw CommandFailure(.usage, "\(path) exists and is not an event log: choose another name")
        }
    }

    /// Opens it.
    ///
    /// - Throws: `EventLogError` or ``CommandFailure``.
    func open() throws -> any ReplayTarget {
        switch self {
        case .standardOutput: StandardOutputTarget()
        case .database(let path): try DatabaseTarget(path: path)
        case .newLinesFile(let path): try LinesFileTarget(path: path)
        }
    }
}
