internal import EventLog
internal import Foundation
package import Primitives

/// The file of a recorder. Not for several threads at once.
final class RecordingFile {
    private static let longestHeader = 4096

    private let descriptor: Int32
    /// How many bytes it has.
    private(set) var length: Int64 = 0

    /// Makes the file. A recording that stands there is kept as `<path>.previous`, in the place of the one before.
    ///
    /// - Throws: ``RecordingError``: `cannotWrite`, `cannotRead`, and `notARecording` for another file, which is left alone.
    init(path: String, options: ActionRecorder.Options) throws(RecordingError) {
        try Self.setAside(path)
        // Whoever wants to read it must be told: it holds what users typed.
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.cannotWrite(path, Self.reason()) }
        do {
            try AppleFiles.protect(
                [path], options.fileProtection, isExcludedFromBackup: options.isExcludedFromBackup)
        } catch {
            throw Self.cannotWrite(path, error.localizedDescription)
        }
    }

    deinit { close(descriptor) }

    /// Adds a line and its line feed, in one write.
    ///
    /// - Returns: nil, or why it cannot be written; the file ends after the line before it then.
    func append(_ line: [UInt8]) -> String? {
        let bytes = line + [UInt8(ascii: "\n")]
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                let reason = Self.reason()
                _ = ftruncate(descriptor, off_t(length))  // if that fails too, a reader leaves the torn line out
                return reason
            }
            written += count
        }
        length += Int64(bytes.count)
        return nil
    }

    private static func setAside(_ path: String) throws(RecordingError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw RecordingError(.cannotRead, "\(path) is there and cannot be read: name another file")
        }
        let head: Data?
        do { head = try handle.read(upToCount: longestHeader) } catch {
            throw RecordingError(.cannotRead, "\(path) is there and cannot be read: name another file")
        }
        guard let head, !head.isEmpty else { return }
        do {
            _ = try RecordingHeader(line: [UInt8](head.prefix { $0 != UInt8(ascii: "\n") }), path: path)
        } catch {
            // One of a newer version is a recording too.
            guard error.code == .newerVersion else {
                throw RecordingError(.notARecording, "\(path) is there and is no recording: name another file")
            }
        }
        guard rename(path, path + ".previous") == 0 else { throw cannotWrite(path, reason()) }
    }

    private static func cannotWrite(_ path: String, _ reason: String) -> RecordingError {
        RecordingError(.cannotWrite, "\(path) cannot be written (\(reason)): check that you may write in its folder")
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

/// An error of a recording's file: what happened, and what to do about it.
public struct RecordingError: Error, Sendable, CustomStringConvertible {
    /// The kinds of error. A later version may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Kind: String { case notFound, cannotRead, cannotWrite, notARecording, newerVersion, damaged }
        let kind: Kind

        /// There is no such file.
        public static let notFound = Code(kind: .notFound)
        /// The file is there but cannot be read.
        public static let cannotRead = Code(kind: .cannotRead)
        /// The file or its folder cannot be written.
        public static let cannotWrite = Code(kind: .cannotWrite)
        /// The file is something else.
        public static let notARecording = Code(kind: .notARecording)
        /// A newer version of this package wrote it.
        public static let newerVersion = Code(kind: .newerVersion)
        /// A line is no entry.
        public static let damaged = Code(kind: .damaged)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// The kind of error.
    public let code: Code
    /// What happened and what to do, in a sentence. Holds no line's content.
    public let message: String
    /// The source file that reported it.
    public let file: StaticString
    /// The line in that file.
    public let line: UInt

    package init(_ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    package static func notARecording(
        _ path: String, file: StaticString = #fileID, line: UInt = #line
    ) -> RecordingError {
        RecordingError(
            .notARecording, "\(path) is no recording of actions: name a file that an ActionRecorder wrote",
            file: file, line: line)
    }

    /// The message.
    public var description: String { message }
}

extension RecordingError: LayerError {
    package var category: ErrorCategory {
        switch code.kind {
        case .notFound: .notFound
        case .notARecording, .newerVersion, .damaged: .invalidInput
        case .cannotRead, .cannotWrite: .inputOutput
        }
    }
}
