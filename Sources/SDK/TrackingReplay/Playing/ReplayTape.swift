internal import Primitives
internal import TrackingCore

/// The tape of a replay: each step of the app must equal the next entry of the recording, byte for byte.
///
/// Steps arrive one at a time, on the thread that runs the replay. A response that arrived within an input is passed to
/// the app at the same point: before the app's next step is compared.
final class ReplayTape: Sendable {
    /// The maximum nesting of inputs: deeper files would overflow the stack.
    private static let maximumDepth = 64

    private let play: @Sendable (RecordedEntry) -> Void
    private let atEnd: @Sendable () -> Void
    let onEvent: @Sendable ([UInt8]) -> Void
    let state: Locked<ReplayPosition>

    /// Starts at the first entry.
    ///
    /// - Parameters:
    ///   - until: The last entry to replay; nil for all.
    ///   - play: Passes an input to the app.
    ///   - atEnd: Called once, when the replay ends, before the app's next step.
    ///   - onEvent: Called with the line of each event that equals the recorded one.
    /// - Throws: ``/TrackingCore/RecordingError``, as ``RecordingReader/next()``.
    init(
        _ reader: sending RecordingReader, until: Int64?, play: @escaping @Sendable (RecordedEntry) -> Void,
        atEnd: @escaping @Sendable () -> Void, onEvent: @escaping @Sendable ([UInt8]) -> Void
    ) throws(RecordingError) {
        self.play = play
        self.atEnd = atEnd
        self.onEvent = onEvent
        state = Locked(try ReplayPosition(reader, until: until))
    }

    var lastIndex: Int64 { state.withLock { $0.lastIndex } }
    func user(of environment: Int) -> String? { state.withLock { $0.users[environment] } }

    /// Replays the recording to its end.
    ///
    /// - Throws: ``/TrackingCore/RecordingError``, as ``RecordingReader/next()``.
    func run() throws(RecordingError) -> (ReplayOutcome.Verdict, ReplayOutcome.Ending?) {
        while true {
            switch state.withLock({ $0.phase }) {
            case .running: playNext()
            case .ended(let verdict, let ending): return (verdict, ending)
            case .failed(let error): throw error
            }
        }
    }

    private func playNext() {
        guard let entry = upcoming() else { return }
        if entry.index != lastIndex + 1 {
            diverge(.gap, expected: nil)
        } else if entry.kind == .input, entry.cause == nil {
            pass(entry)
        } else {
            diverge(entry.cause == nil ? .outsideInput : .gap, expected: entry.line)
        }
    }

    /// The next entry while the replay continues. The replay ends here at the requested index or at the end of the
    /// recording.
    private func upcoming() -> RecordedEntry? {
        let (next, end) = state.withLock { $0.upcoming }
        if let end { finish(end) }
        return next
    }

    private func finish(_ phase: ReplayPosition.Phase) {
        if state.withLock({ $0.end(phase) }) { atEnd() }
    }

    /// Ends the replay with a difference.
    ///
    /// - Parameter index: The entry that differs; nil for the entry after the last equal one.
    func diverge(
        _ reason: ReplayDivergence.Reason, at index: Int64? = nil, expected: [UInt8]?, actual: [UInt8]? = nil
    ) {
        let divergence = ReplayDivergence(
            index: index ?? lastIndex + 1, reason: reason, expected: expected, actual: actual)
        finish(.ended(.diverged(divergence), nil))
    }

    /// Passes an input to the app, which must record it immediately.
    func pass(_ entry: RecordedEntry) {
        guard state.withLock({ $0.inputs.count < Self.maximumDepth }) else {
            return diverge(.notTaken, expected: entry.line)
        }
        state.withLock { state in
            state.offered = entry.index
            if entry.domain == TapeEntry.launch, let environment = entry.environment {
                // The user of an environment's first entries is determined by later entries.
                state.users[environment] = entry.user
            }
        }
        play(entry)
        let isTaken = state.withLock { state in
            state.offered = nil
            return state.lastIndex >= entry.index
        }
        if !isTaken { diverge(.notTaken, expected: entry.line) }
    }

    /// Passes on the responses that arrived at this point within the current input.
    func passResponses() {
        while let next = upcoming(), next.kind == .input, let cause = next.cause {
            guard
                state.withLock({ cause == $0.inputs.last && next.index == $0.lastIndex + 1 && next.index != $0.offered }
                )
            else { return }
            pass(next)
        }
    }

    /// Compares the app's next step with the next entry. Returns the entry, or nil if the replay has ended.
    ///
    /// - Parameter step: Any recorded payload matches a step without a payload if `anyPayload` is true.
    func compare(_ step: TapeEntry, anyPayload: Bool = false) -> RecordedEntry? {
        passResponses()
        guard let next = upcoming() else { return nil }
        let (index, cause, user) = state.withLock { state in
            (state.lastIndex + 1, state.inputs.last, step.user ?? step.environment.flatMap { state.users[$0] })
        }
        func line(_ entry: TapeEntry) -> [UInt8] { entry.line(index: index, cause: cause, user: user) }
        let expected = anyPayload && next.kind == step.kind ? step.with(payload: next.payload) : step
        guard next.index == index else {
            diverge(.gap, expected: nil, actual: line(step))
            return nil
        }
        guard next.line == line(expected) else {
            let isStray = next.cause == nil && next.kind != .input && next.kind != .end && cause != nil
            diverge(isStray ? .outsideInput : .different, expected: next.line, actual: line(step))
            return nil
        }
        do {
            try state.withLock { state throws(RecordingError) in try state.advance() }
        } catch {
            finish(.failed(error))
        }
        return next
    }

    /// Whether this is the next recorded entry.
    func isNext(_ kind: TapeEntry.Kind, _ domain: String, environment: Int) -> Bool {
        guard let next = upcoming() else { return false }
        return next.kind == kind && next.domain == domain && next.environment == environment
    }
}

extension TapeEntry {
    fileprivate func with(payload: [UInt8]) -> TapeEntry {
        TapeEntry(kind: kind, domain: domain, environment: environment, user: user, payload: payload)
    }
}

extension ReplayTape: ActionTape {
    var isRunning: Bool { state.withLock { $0.isRunning } }

    var isWithinInput: Bool { state.withLock { !$0.inputs.isEmpty } }

    func beginInput(_ entry: TapeEntry) {
        _ = compare(entry)
        state.withLock { $0.inputs.append($0.lastIndex) }
    }

    func endInput() {
        // If the replay ends here, this is reported after the input, once its caller has finished.
        while let (next, index) = state.withLock({ $0.pendingWithinInput }) {
            if next.index != index {
                diverge(.gap, expected: nil)
            } else if next.kind == .input {
                pass(next)
            } else {
                diverge(.missing, expected: next.line)
            }
        }
        state.withLock { _ = $0.inputs.popLast() }
    }

    func note(_ entry: TapeEntry) {
        guard let recorded = compare(entry) else { return }
        switch entry.kind {
        case .action where entry.domain == TapeEntry.tracking: onEvent(recorded.payload)
        case .request: passResponses()
        default: break
        }
    }

    func value<Value: Codable>(_ domain: String, environment: Int, draw: () -> Value) -> Value {
        let step = TapeEntry(kind: .value, domain: domain, environment: environment, payload: nil)
        guard let recorded = compare(step, anyPayload: true) else { return draw() }
        do {
            return try recorded.decodePayload(as: Value.self)
        } catch {
            diverge(.notTaken, at: recorded.index, expected: recorded.line)
            return draw()
        }
    }

    func setUser(_ userID: String, environment: Int) { state.withLock { $0.users[environment] = userID } }

    func erase(_ erasure: LineErasure) {}

    func log(over log: any EventStore, installID: String, for tape: EnvironmentTape) -> any EventStore {
        ReplayLog(installID: installID, next: log, tape: self, environment: tape.number)
    }

    func keep(_ subscription: FluxSubscription) { state.withLock { $0.subscriptions.append(subscription) } }
}
