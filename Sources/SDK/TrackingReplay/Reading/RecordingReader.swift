internal import Foundation
internal import JSONLines
internal import TrackingCore

/// Reads a recording entry by entry, with constant memory. Not thread-safe.
final class RecordingReader {
    private static let blockSize = 64 << 10

    let header: RecordingHeader
    private let path: String
    private let handle: FileHandle
    private var splitter: LineSplitter
    private var lines: [LineSplitter.Line]
    private var position: Int
    private var number: Int
    private var isAtEnd = false

    /// Opens a recording.
    ///
    /// - Throws: ``/TrackingCore/RecordingError``: `notFound`, `cannotRead`, `notARecording`, `newerVersion`.
    init(path: String) throws(RecordingError) {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else {
            throw RecordingError(.notFound, "no file at \(path); check the path")
        }
        guard let handle = FileHandle(forReadingAtPath: path) else { throw Self.cannotRead(path) }
        self.handle = handle
        // The first block contains the header. If the file is not a recording, read no further.
        let block = try Self.block(handle, path)
        var splitter = LineSplitter()
        var lines = [LineSplitter.Line]()
        splitter.feed(block) { lines.append($0) }
        guard case .complete(let first)? = lines.first else { throw .notARecording(path) }
        header = try RecordingHeader(line: first, path: path)
        self.splitter = splitter
        self.lines = lines
        position = 1
        number = 1
    }

    /// The next entry; nil at the end. An incomplete last line of an interrupted write counts as the end.
    ///
    /// - Throws: ``/TrackingCore/RecordingError``: `cannotRead`, `damaged`.
    func next() throws(RecordingError) -> RecordedEntry? {
        while position == lines.count {
            if isAtEnd { return nil }
            lines = []
            position = 0
            let block = try Self.block(handle, path)
            isAtEnd = block.isEmpty
            splitter.feed(block) { lines.append($0) }
        }
        defer { position += 1 }
        number += 1
        guard case .complete(let line) = lines[position], let entry = RecordedEntry(line: line) else {
            throw RecordingError(
                .damaged, "line \(number) of \(path) is not a recording entry; the file was changed or damaged")
        }
        return entry
    }

    private static func block(_ handle: FileHandle, _ path: String) throws(RecordingError) -> Data {
        do { return try handle.read(upToCount: blockSize) ?? Data() } catch { throw cannotRead(path) }
    }

    private static func cannotRead(_ path: String) -> RecordingError {
        RecordingError(.cannotRead, "cannot read \(path); check that it is a file and check its permissions")
    }
}
