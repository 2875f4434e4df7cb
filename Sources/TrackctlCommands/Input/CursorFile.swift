internal import CommandSupport
internal import EventQuery
internal import Foundation

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

    /// Puts a cursor in the place of the one before, so that a reader finds one or the other whole, even after a power
    /// failure.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func write(_ cursor: EventCursor) throws {
        let partial = "\(path).partial"
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CommandFailure(writing: path, errno) }
        defer { close(descriptor) }
        try Array("\(cursor)\n".utf8).withUnsafeBytes { try DescriptorOutput.write($0, to: descriptor, name: path) }
        guard fsync(descriptor) == 0, rename(partial, path) == 0 else { throw CommandFailure(writing: path, errno) }
    }
}
