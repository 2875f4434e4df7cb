internal import Primitives
internal import Tracking

extension ReplayTape: ActionTape {
    var isRunning: Bool { state.withLock { $0.isRunning } }

    func beginInput(_ entry: TapeEntry) {
        _ = compare(entry)
        state.withLock { $0.inputs.append($0.lastIndex) }
    }

    func endInput() {
        // That the replay ends here is said behind the input, when whoever took it is done.
        while let (next, index) = state.withLock({ $0.pendingWithinInput }) {
            if next.index != index {
                diverge(.gap, expected: nil)
            } else if next.kind == .input {
                handOver(next)
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
        case .request: handOverAnswers()
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

    func log(over log: any EventStore, installID: String, for tape: EnvironmentTape) -> any EventStore {
        ReplayLog(installID: installID, next: log, tape: self, environment: tape.number)
    }

    func keep(_ subscription: FluxSubscription) { state.withLock { $0.subscriptions.append(subscription) } }
}
