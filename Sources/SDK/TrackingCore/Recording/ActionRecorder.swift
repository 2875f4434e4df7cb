public import EventLog
internal import Flux
internal import Foundation
internal import Primitives

/// Records a session: everything that comes to an app from outside and every action it dispatches, in one order, as a
/// file of JSON lines.
///
/// ```swift
/// let recorder = try ActionRecorder(path: folder + "/actions.jsonl", app: "Shop 1.0")
/// let environment = TrackingEnvironment<AppRoute>.live(…, recording: recorder.environment(), …)
/// ```
///
/// **Personal data.** A recording holds what users typed, addresses they asked for, what came back, and their ids; more
/// than the event log does. Record when a user has agreed to send a report, not always. Each line names its user, so
/// that a user's lines can be found and erased.
///
/// **Safety.** A line is in the system's memory when the call that caused it goes on: it survives the end of the
/// process, SIGKILL too, not a power failure. To that end each entry is one write to the file, under the locks of
/// whoever caused it: a send that is recorded may wait for the file system.
///
/// **Order.** One order for all threads and environments; see ``EnvironmentRecording`` about turns.
public final class ActionRecorder: Sendable {
    /// Held by the thread that is within an input, and for the moment of an entry outside of any. Taken before
    /// `content`.
    private let turn = NSRecursiveLock()
    private let content: Locked<RecordingContent>

    /// Starts a recording.
    ///
    /// - Parameters:
    ///   - path: The file. Its folder must exist. A recording that stands there is kept as `<path>.previous`, in the
    ///     place of the one before it.
    ///   - app: The app and its version, for whoever reads the recording.
    ///   - options: Size limit and file protection.
    /// - Throws: ``RecordingError``: `cannotWrite`, `cannotRead`, and `notARecording` if another file stands there.
    public init(path: String, app: String, options: Options = Options()) throws(RecordingError) {
        let file = try RecordingFile(path: path, options: options)
        if let reason = file.append(RecordingHeader(app: app).line) {
            throw RecordingError(.cannotWrite, "\(path) cannot be written (\(reason)): free some space and try again")
        }
        content = Locked(RecordingContent(file: file, maximumBytes: options.maximumBytes))
    }

    /// How the recording stands.
    public var status: Status { content.withLock { $0.status } }

    /// What the next environment records with. One for each environment.
    public func environment<Command: RouteCommand & Encodable>() -> EnvironmentRecording<Command> {
        let number = content.withLock { content in
            content.environments += 1
            return content.environments
        }
        return EnvironmentRecording(EnvironmentTape(self, number: number))
    }

    /// Ends the recording with a mark that says so. What comes later is not recorded.
    public func close() {
        content.withLock { $0.close() }
    }

    /// Whether this thread may speak for the input under way: it is within it, or there is none.
    private func withTurn<Result>(_ body: (_ isOurs: Bool) -> Result) -> Result {
        let isOurs = turn.try()
        defer { if isOurs { turn.unlock() } }
        return body(isOurs)
    }
}

extension ActionRecorder: ActionTape {
    package var isRunning: Bool { status == .recording }

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
        note(TapeEntry(.value, domain, environment: environment, value))
        return value
    }

    package func setUser(_ userID: String, environment: Int) {
        content.withLock { $0.setUser(userID, environment: environment) }
    }

    package func log(over log: any EventStore, installID: String, for tape: EnvironmentTape) -> any EventStore {
        RecordedLog(next: log, tape: tape)
    }

    package func keep(_ subscription: FluxSubscription) {
        content.withLock { $0.subscriptions.append(subscription) }
    }
}

extension ActionRecorder {
    /// How a recording is made.
    public struct Options: Sendable {
        /// The size of the file, in bytes: the entry that would make it larger ends the recording, with a mark that
        /// says so. Default 16 MiB, some tens of thousands of entries.
        public var maximumBytes: Int64 = 16 << 20
        /// When Apple systems let the file be used. Default ``FileProtection/untilFirstUnlock``, as the log's.
        public var fileProtection = FileProtection.untilFirstUnlock
        /// Whether Apple systems leave the file out of backups. Default true.
        public var isExcludedFromBackup = true

        /// Makes options; see each property.
        public init() {}
    }

    /// How a recording stands.
    public enum Status: Equatable, Sendable {
        /// It goes on.
        case recording
        /// It was closed.
        case closed
        /// It has reached ``Options/maximumBytes``.
        case full
        /// It could not be written, or an entry of this domain could not be encoded. What came before is in the file.
        case failed(reason: String)
    }
}
