package import EventLog
package import Flux

/// One environment's side of a tape.
package struct EnvironmentTape: Sendable {
    private let tape: any ActionTape
    /// The environment's number within the recording, from 1.
    package let number: Int

    package init(_ tape: any ActionTape, number: Int) {
        self.tape = tape
        self.number = number
    }

    var isWithinInput: Bool { tape.isWithinInput }

    /// - Parameter user: The user whose input it is; nil for the environment's user.
    package func input<Result>(
        _ domain: String, _ input: some Encodable, of user: String? = nil, perform: () throws -> Result
    ) rethrows -> Result {
        tape.beginInput(TapeEntry(.input, domain: domain, environment: number, user: user, payload: input))
        defer { tape.endInput() }
        return try perform()
    }

    package func value<Value: Codable>(_ domain: String, draw: () -> Value) -> Value {
        tape.value(domain, environment: number, draw: draw)
    }

    package func note(_ kind: TapeEntry.Kind, domain: String, payload: some Encodable) {
        if tape.isRunning { tape.note(TapeEntry(kind, domain: domain, environment: number, payload: payload)) }
    }

    /// - Parameter user: The user whose action it is; nil for the environment's user.
    package func observe<Action: Encodable & Sendable>(
        _ dispatcher: FluxDispatcher<Action>, as domain: String,
        of user: @escaping @Sendable (Action) -> String? = { _ in nil }
    ) {
        // Weak, because the tape keeps the subscription, and must not keep the owners alive.
        tape.keep(
            dispatcher.subscribe { [weak tape, number] action in
                guard let tape, tape.isRunning else { return }
                tape.note(
                    TapeEntry(.action, domain: domain, environment: number, user: user(action), payload: action))
            })
    }

    package func setUser(_ userID: String) { tape.setUser(userID, environment: number) }

    func erase(_ erasure: LineErasure) throws { try tape.erase(erasure) }

    package func log(over log: any EventStore) -> any EventStore {
        tape.log(over: log, installID: value("log/install") { log.installID }, for: self)
    }
}
