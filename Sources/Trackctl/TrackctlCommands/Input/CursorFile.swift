internal import CommandSupport
internal import EventQuery
internal import Foundation
internal import LogFiles

/// A file that keeps a cursor from one run to the next.
struct CursorFile {
    let path: String

    /// The cursor that was kept; nil if there is no file yet.
    ///
    /// - Throws: ``CommandFailure``: `inputOutput`, `dataAtFault`.
    func read() throws -> EventCursor? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.inputOutput, "\(path) cannot be read: check its permissions")
        }
        let text = String(decoding: data, as: UTF8.self)
        guard let cursor = EventCursor(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CommandFailure(
                .dataAtFault, "\(path) holds no cursor: name another file, or remove it to start from the first event")
        }
        return cursor
    }

    /// Puts a cursor in the place of the one before.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func write(_ cursor: EventCursor) throws {
        try ReplacedFile.write(Array("\(cursor)\n".utf8), path: path)
    }
}
