internal import Flux
internal import Foundation
internal import JSONLines

/// The state of a recorder, protected by its lock: the file and the position in the recording.
struct RecordingContent {
    /// The bytes that always stay free for the end mark.
    private static let endMarkLength: Int64 = 128

    private struct Waiting {
        let index: Int64
        let cause: Int64?
        let entry: TapeEntry
    }

    private var file: RecordingFile?
    private let path: String
    private let maximumBytes: Int64
    private(set) var status = ActionRecorder.Status.recording
    /// The index of the entry that was added last; 0 before the first.
    private(set) var lastIndex: Int64 = 0
    private var users: [Int: String] = [:]
    /// Entries of an environment whose user is not known yet, and all later entries.
    private var waiting: [Waiting] = []
    var environments = 0
    /// The current inputs of the thread that has the turn, the outermost first.
    var inputs: [Int64] = []
    /// Never canceled here: this would require a dispatcher's lock, which the caller that adds an entry may hold.
    var subscriptions: [FluxSubscription] = []

    init(file: RecordingFile, maximumBytes: Int64) {
        self.file = file
        path = file.path
        self.maximumBytes = maximumBytes
    }

    /// Removes users' entries from this recording and from the previous one. A replay stops at the first missing entry.
    ///
    /// - Throws: Foundation's errors; ``RecordingError``. Call it again.
    mutating func erase(_ erasure: LineErasure) throws {
        for path in [path, path + ".previous"] where FileManager.default.fileExists(atPath: path) {
            try erasure.rewrite(path)
        }
        try file?.reopen()
    }

    /// Assigns an index to an entry, and writes the entry once its user is known.
    ///
    /// - Parameter isWithinInput: Whether the entry belongs to the current input, if there is one.
    mutating func add(_ entry: TapeEntry, isWithinInput: Bool) {
        guard status == .recording else { return }
        lastIndex += 1
        waiting.append(Waiting(index: lastIndex, cause: isWithinInput ? inputs.last : nil, entry: entry))
        writeKnown()
    }

    mutating func setUser(_ userID: String, environment: Int) {
        users[environment] = userID
        writeKnown()
    }

    /// Writes the waiting entries and the end mark.
    mutating func close() {
        writeAll()
        end(.closed, mark: "closed", index: lastIndex + 1, cause: inputs.last)
    }

    /// Writes the waiting entries if all have a user.
    private mutating func writeKnown() {
        if waiting.allSatisfy({ user(of: $0.entry) != nil }) { writeAll() }
    }

    private mutating func writeAll() {
        for entry in waiting where status == .recording { write(entry) }
        waiting.removeAll(keepingCapacity: true)
    }

    private func user(of entry: TapeEntry) -> String? { entry.user ?? entry.environment.flatMap { users[$0] } }

    private mutating func write(_ waiting: Waiting) {
        let entry = waiting.entry
        guard entry.payload != nil else {
            let reason = "\(entry.kind.rawValue) of \(entry.domain) cannot be encoded"
            return end(.failed(reason: reason), mark: "not-encodable", index: waiting.index, cause: waiting.cause)
        }
        let line = entry.line(index: waiting.index, cause: waiting.cause, user: user(of: entry))
        guard let file else { return }
        guard file.length + Int64(line.count) + 1 + Self.endMarkLength <= maximumBytes else {
            return end(.full, mark: "full", index: waiting.index, cause: waiting.cause)
        }
        if let reason = file.append(line) {
            status = .failed(reason: reason)
            self.file = nil
        }
    }

    /// Writes the end mark and closes the file.
    private mutating func end(_ status: ActionRecorder.Status, mark: String, index: Int64, cause: Int64?) {
        guard self.status == .recording else { return }
        self.status = status
        let entry = TapeEntry(.end, domain: "recording", environment: nil, payload: mark)
        // Without the end mark, readers treat the recording as cut off, which it then is.
        _ = file?.append(entry.line(index: index, cause: cause, user: nil))
        file = nil
    }
}

/// The first line of a recording.
package struct RecordingHeader: Sendable, Equatable {
    /// Distinguishes recordings from other files.
    private static let format = "swift-tracking"
    /// The format version that is written, and the newest that can be read.
    package static let version: Int64 = 1

    /// The SDK that wrote the recording.
    package let sdk: String
    /// The app and its version.
    package let app: String

    /// Makes the header of a new recording.
    init(app: String) {
        sdk = TrackingContext.sdk
        self.app = app
    }

    /// Reads the first line of a file.
    ///
    /// - Parameter path: The file's name for messages.
    /// - Throws: ``RecordingError``: `notARecording`, `newerVersion`.
    package init(line: [UInt8], path: String) throws(RecordingError) {
        guard let json = JSONValue(validating: line), json["recording"]?.stringValue == Self.format,  // nil: not JSON
            let version = json["version"]?.integerValue
        else { throw .notARecording(path) }
        guard version <= Self.version else {
            throw RecordingError(
                .newerVersion,
                """
                \(path) has recording version \(version), but this program supports up to \(Self.version); update this \
                program
                """)
        }
        guard let sdk = json["sdk"]?.stringValue, let app = json["app"]?.stringValue else {
            throw .notARecording(path)
        }
        self.sdk = sdk
        self.app = app
    }

    var line: [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.key("recording")
        json.string(Self.format)
        json.key("version")
        json.integer(Self.version)
        json.key("sdk")
        json.string(sdk)
        json.key("app")
        json.string(app)
        json.endObject()
        return json.bytes
    }
}
