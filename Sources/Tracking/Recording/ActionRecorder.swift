internal import EventLog
internal import Flux
internal import Foundation
internal import Locking

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
    /// What is always left free for the mark at the end.
    private static let endMarkLength: Int64 = 128

    private struct Waiting {
        let index: Int64
        let cause: Int64?
        let entry: TapeEntry
    }

    private struct Content {
        var file: RecordingFile?
        var status = Status.recording
        var nextIndex: Int64 = 1
        var environments = 0
        var users: [Int: String] = [:]
        /// Entries of an environment whose user is not known yet, and those after them.
        var waiting: [Waiting] = []
        /// The inputs under way on the thread that has the turn, the outermost first.
        var inputs: [Int64] = []
        /// Never ended here: that takes a dispatcher's lock, which may be held by whoever adds an entry.
        var subscriptions: [FluxSubscription] = []
    }

    private let maximumBytes: Int64
    /// Held by the thread that is within an input, and for the moment of an entry outside of any. Taken before
    /// `content`.
    private let turn = NSRecursiveLock()
    private let content: Locked<Content>

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
        maximumBytes = options.maximumBytes
        content = Locked(Content(file: file))
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
        content.withLock { content in
            flush(&content)
            end(&content, .closed, mark: "closed", index: content.nextIndex, cause: content.inputs.last)
        }
    }

    /// Whether this thread may speak for the input under way: it is within it, or there is none.
    private func withTurn<Result>(_ body: (_ isOurs: Bool) -> Result) -> Result {
        let isOurs = turn.try()
        defer { if isOurs { turn.unlock() } }
        return body(isOurs)
    }

    @discardableResult
    private func add(_ entry: TapeEntry, isWithinTurn: Bool, to content: inout Content) -> Int64 {
        let index = content.nextIndex
        guard content.status == .recording else { return index }
        content.nextIndex += 1
        let waiting = Waiting(index: index, cause: isWithinTurn ? content.inputs.last : nil, entry: entry)
        content.waiting.append(waiting)
        if content.waiting.allSatisfy({ user(of: $0.entry, content) != nil }) { flush(&content) }
        return index
    }

    private func user(of entry: TapeEntry, _ content: Content) -> String? {
        entry.environment.flatMap { content.users[$0] }
    }

    /// Writes what waits.
    private func flush(_ content: inout Content) {
        for waiting in content.waiting where content.status == .recording {
            write(waiting, to: &content)
        }
        content.waiting.removeAll(keepingCapacity: true)
    }

    private func write(_ waiting: Waiting, to content: inout Content) {
        let entry = waiting.entry
        guard entry.payload != nil else {
            let status = Status.failed(reason: "\(entry.kind.rawValue) of \(entry.domain) cannot be encoded")
            end(&content, status, mark: "not-encodable", index: waiting.index, cause: waiting.cause)
            return
        }
        let line = entry.line(index: waiting.index, cause: waiting.cause, user: user(of: entry, content))
        guard let file = content.file else { return }
        guard file.length + Int64(line.count) + 1 + Self.endMarkLength <= maximumBytes else {
            end(&content, .full, mark: "full", index: waiting.index, cause: waiting.cause)
            return
        }
        if let reason = file.append(line) {
            content.status = .failed(reason: reason)
            content.file = nil
        }
    }

    /// Writes the mark at the end and closes the file.
    private func end(_ content: inout Content, _ status: Status, mark: String, index: Int64, cause: Int64?) {
        guard content.status == .recording else { return }
        content.status = status
        let entry = TapeEntry(.end, "recording", environment: nil, mark)
        // Without the mark, the recording reads as one that was cut short, which is what it then is.
        _ = content.file?.append(entry.line(index: index, cause: cause, user: nil))
        content.file = nil
    }
}

extension ActionRecorder: ActionTape {
    package var isRunning: Bool { status == .recording }

    package func beginInput(_ entry: TapeEntry) {
        turn.lock()
        content.withLock { content in
            let index = add(entry, isWithinTurn: true, to: &content)
            content.inputs.append(index)
        }
    }

    package func endInput() {
        content.withLock { _ = $0.inputs.popLast() }
        turn.unlock()
    }

    package func note(_ entry: TapeEntry) {
        withTurn { isOurs in
            content.withLock { content in _ = add(entry, isWithinTurn: isOurs, to: &content) }
        }
    }

    package func value<Value: Codable>(_ domain: String, environment: Int, draw: () -> Value) -> Value {
        let value = draw()
        guard isRunning else { return value }
        note(TapeEntry(.value, domain, environment: environment, value))
        return value
    }

    package func setUser(_ userID: String, environment: Int) {
        content.withLock { content in
            content.users[environment] = userID
            if content.waiting.allSatisfy({ user(of: $0.entry, content) != nil }) { flush(&content) }
        }
    }

    package func log(over log: any EventStore, installID: String, for tape: EnvironmentTape) -> any EventStore {
        RecordedLog(next: log, tape: tape)
    }

    package func keep(_ subscription: FluxSubscription) {
        content.withLock { $0.subscriptions.append(subscription) }
    }
}
