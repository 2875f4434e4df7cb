public import EventLog
internal import Flux
internal import Foundation
internal import Primitives

/// Records a session: all input that an app receives and all actions that it dispatches, in one order, as a file of
/// JSON lines.
///
/// ```swift
/// let recorder = try ActionRecorder(path: folder + "/actions.jsonl", app: "Shop 1.0")
/// let environment = TrackingEnvironment<AppRoute>.live(…, recording: recorder.environment(), …)
/// ```
///
/// **Personal data.** A recording contains more than the event log: what users typed, the URLs that the app requested,
/// the responses, and the users' ids. Record only after a user has agreed to send a report. Each line names its user,
/// so that you can find and erase a user's lines.
///
/// **Safety.** Each entry is written to the file before the call that caused it continues: it survives the end of the
/// process, SIGKILL included, but not a power failure. Each entry is one write, under the locks of its caller: a
/// recorded send may wait for the file system.
///
/// **Order.** All threads and environments share one order; ``EnvironmentRecording`` describes turns.
public final class ActionRecorder: Sendable {
    /// Held by the thread that processes an input, and briefly for an entry outside any input. Lock it before
    /// `content`.
    private let turn = NSRecursiveLock()
    private let content: Locked<RecordingContent>

    /// Starts a recording.
    ///
    /// - Parameters:
    ///   - path: The file. Its folder must exist. An existing recording is renamed to `<path>.previous`, and replaces
    ///     an earlier one.
    ///   - app: The app and its version, shown to readers of the recording.
    ///   - options: Size limit and file protection.
    /// - Throws: ``RecordingError``: `cannotWrite`, `cannotRead`, and `notARecording` if the path is another file.
    public init(path: String, app: String, options: Options = Options()) throws(RecordingError) {
        let file = try RecordingFile(path: path, options: options)
        if let reason = file.append(RecordingHeader(app: app).line) {
            throw RecordingError(.cannotWrite, "cannot write \(path): \(reason); free some space and try again")
        }
        content = Locked(RecordingContent(file: file, maximumBytes: options.maximumBytes))
    }

    /// The status of the recording.
    public var status: Status { content.withLock { $0.status } }

    /// Returns the recording for the next environment. Call it once for each environment.
    public func environment<Command: RouteCommand & Encodable>() -> EnvironmentRecording<Command> {
        let number = content.withLock { content in
            content.environments += 1
            return content.environments
        }
        return EnvironmentRecording(EnvironmentTape(self, number: number))
    }

    /// Ends the recording with an end mark. Later entries are not recorded.
    public func close() {
        content.withLock { $0.close() }
    }

    /// Whether this thread may add to the current input: it processes that input, or there is none.
    private func withTurn<Result>(_ body: (_ isOurs: Bool) -> Result) -> Result {
        let isOurs = turn.try()
        defer { if isOurs { turn.unlock() } }
        return body(isOurs)
    }
}

extension ActionRecorder: ActionTape {
    package var isRunning: Bool { status == .recording }

    package var isWithinInput: Bool {
        withTurn { isOurs in isOurs && content.withLock { !$0.inputs.isEmpty } }
    }

    package func beginInput(_ entry: TapeEntry) {
        turn.lock()
        content.withLock { content in
            content.add(entry, isWithinInput: true)
            content.inputs.append(content.lastIndex)
        }
    }

    package func endInput() {
        content.withLock { _ = $0.inputs.popLast() }
        turn.unlock()
    }

    package func note(_ entry: TapeEntry) {
        withTurn { isOurs in content.withLock { $0.add(entry, isWithinInput: isOurs) } }
    }

    package func value<Value: Codable>(_ domain: String, environment: Int, draw: () -> Value) -> Value {
        let value = draw()
        guard isRunning else { return value }
        note(TapeEntry(.value, domain: domain, environment: environment, payload: value))
        return value
    }

    package func setUser(_ userID: String, environment: Int) {
        content.withLock { $0.setUser(userID, environment: environment) }
    }

    package func erase(_ erasure: LineErasure) throws { try content.withLock { try $0.erase(erasure) } }

    package func log(over log: any EventStore, installID: String, for tape: EnvironmentTape) -> any EventStore {
        RecordedLog(next: log, tape: tape)
    }

    package func keep(_ subscription: FluxSubscription) {
        content.withLock { $0.subscriptions.append(subscription) }
    }
}

extension ActionRecorder {
    /// Options of a recording.
    public struct Options: Sendable {
        /// The maximum size of the file in bytes. If an entry would exceed this size, the recording ends with an end
        /// mark instead. Default 16 MiB, some tens of thousands of entries.
        public var maximumBytes: Int64 = 16 << 20
        /// When Apple systems allow access to the file. Default ``/EventLog/FileProtection/untilFirstUnlock``, like the log.
        public var fileProtection = FileProtection.untilFirstUnlock
        /// Whether Apple systems exclude the file from backups. Default true.
        public var isExcludedFromBackup = true

        /// Makes options with default values.
        public init() {}
    }

    /// The status of a recording.
    public enum Status: Equatable, Sendable {
        /// Entries are being recorded.
        case recording
        /// The recording was closed.
        case closed
        /// The file has reached ``Options/maximumBytes``.
        case full
        /// The file could not be written, or an entry of this domain could not be encoded. Earlier entries are in the
        /// file.
        case failed(reason: String)
    }
}
