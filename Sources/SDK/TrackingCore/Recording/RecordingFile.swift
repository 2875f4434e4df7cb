internal import EventLog
internal import Foundation
package import Primitives

/// The file of a recorder. Not thread-safe.
final class RecordingFile {
    private static let longestHeader = 4096

    let path: String
    private var descriptor: Int32
    /// The file's length in bytes.
    private(set) var length: Int64 = 0

    /// Creates the file. An existing recording is renamed to `<path>.previous`, and replaces an earlier one.
    ///
    /// - Throws: ``RecordingError``: `cannotWrite`, `cannotRead`, and `notARecording` for another file, which is not
    ///   changed.
    init(path: String, options: ActionRecorder.Options) throws(RecordingError) {
        try Self.setAside(path)
        self.path = path
        // Readable by the owner only, since the file contains what users typed.
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

    /// Continues with the file that now has the path.
    func reopen() throws(RecordingError) {
        let new = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard new >= 0 else { throw Self.cannotWrite(path, Self.reason()) }
        close(descriptor)
        descriptor = new
        length = Int64(lseek(new, 0, SEEK_END))
    }

    /// Appends a line and its line feed, in one write.
    ///
    /// - Returns: nil, or the reason why the line could not be written. The file then ends after the previous line.
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
                _ = ftruncate(descriptor, off_t(length))  // if this fails, too, readers ignore the incomplete line
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
            throw RecordingError(.cannotRead, "cannot read the existing file \(path); choose another path")
        }
        let head: Data?
        do { head = try handle.read(upToCount: longestHeader) } catch {
            throw RecordingError(.cannotRead, "cannot read the existing file \(path); choose another path")
        }
        guard let head, !head.isEmpty else { return }
        do {
            _ = try RecordingHeader(line: [UInt8](head.prefix { $0 != UInt8(ascii: "\n") }), path: path)
        } catch {
            // A recording of a newer version is a recording, too.
            guard error.code == .newerVersion else {
                throw RecordingError(.notARecording, "\(path) exists and is not a recording; choose another path")
            }
        }
        guard rename(path, path + ".previous") == 0 else { throw cannotWrite(path, reason()) }
    }

    private static func cannotWrite(_ path: String, _ reason: String) -> RecordingError {
        RecordingError(.cannotWrite, "cannot write \(path): \(reason); check the permissions of its folder")
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

/// An error of a recording's file: what happened and what to do.
public struct RecordingError: Error, Sendable, CustomStringConvertible {
    /// The kinds of error. A later version may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Kind: String { case notFound, cannotRead, cannotWrite, notARecording, newerVersion, damaged }
        let kind: Kind

        /// The file does not exist.
        public static let notFound = Code(kind: .notFound)
        /// The file exists but cannot be read.
        public static let cannotRead = Code(kind: .cannotRead)
        /// The file or its folder cannot be written.
        public static let cannotWrite = Code(kind: .cannotWrite)
        /// The file is not a recording.
        public static let notARecording = Code(kind: .notARecording)
        /// The recording was written by a newer version of this package.
        public static let newerVersion = Code(kind: .newerVersion)
        /// A line is not a valid entry.
        public static let damaged = Code(kind: .damaged)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// The kind of error.
    public let code: Code
    /// What happened and what to do, in one sentence. Contains no content of lines.
    public let message: String
    /// The source file that reported the error.
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
            .notARecording, "\(path) is not a recording; pass a file written by ActionRecorder",
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
