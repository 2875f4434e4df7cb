package import EventLog
internal import EventModel
package import Flux

/// What stands between an app and its outside while a session is recorded, or played again.
///
/// A recorder lets everything through and writes it down. A replay lets nothing through: it compares what the app does
/// with the recording, and answers from it. The app's side is the same code for both.
package protocol ActionTape: AnyObject, Sendable {
    /// Whether entries still count: an entry that does not need not be made.
    var isRunning: Bool { get }

    /// An input starts on this thread; an input within an input is part of it.
    func beginInput(_ entry: TapeEntry)

    /// The input that started last ends. On the thread that it started on.
    func endInput()

    /// The app did something: it dispatched an action, or asked the outside for something.
    func note(_ entry: TapeEntry)

    /// A value that comes from outside.
    ///
    /// - Parameter draw: Asks the outside.
    func value<Value: Codable>(_ domain: String, environment: Int, draw: () -> Value) -> Value

    /// From now on the entries of an environment belong to this user.
    func setUser(_ userID: String, environment: Int)

    /// What an environment appends its events to.
    ///
    /// - Parameter installID: The log's identity, as the tape has it.
    func log(over log: any EventStore, installID: String, for tape: EnvironmentTape) -> any EventStore

    /// Keeps a subscription as long as there is something to be noted.
    func keep(_ subscription: FluxSubscription)
}
