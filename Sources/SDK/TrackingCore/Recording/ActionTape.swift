package import EventLog
package import Flux
internal import JSONLines

/// The layer between an app and its dependencies while a session is recorded or replayed.
///
/// A recorder passes everything through and records it. A replay passes nothing through: it compares the app's actions
/// with the recording, and takes the dependencies' answers from the recording. The app's side is the same code for
/// both.
package protocol ActionTape: AnyObject, Sendable {
    /// Whether entries are still recorded; if not, callers need not make them.
    var isRunning: Bool { get }

    /// Whether this thread processes an input.
    var isWithinInput: Bool { get }

    /// An input starts on this thread. A nested input is part of it.
    func beginInput(_ entry: TapeEntry)

    /// The most recent input ends. Call it on the thread on which the input started.
    func endInput()

    /// The app did something: it dispatched an action, or made a request to a dependency.
    func note(_ entry: TapeEntry)

    /// Returns a value of a dependency.
    ///
    /// - Parameter draw: Reads the value from the dependency.
    func value<Value: Codable>(_ domain: String, environment: Int, draw: () -> Value) -> Value

    /// Assigns the later entries of an environment to this user.
    func setUser(_ userID: String, environment: Int)

    /// Removes users' entries.
    func erase(_ erasure: LineErasure) throws

    /// Returns the log to which an environment appends its events.
    ///
    /// - Parameter installID: The log's install id, as recorded on the tape.
    func log(over log: any EventStore, installID: String, for tape: EnvironmentTape) -> any EventStore

    /// Keeps a subscription alive while entries are recorded.
    func keep(_ subscription: FluxSubscription)
}

/// The content of a recording's entry, without its index and cause.
package struct TapeEntry: Sendable {
    package enum Kind: String, Sendable {
        /// Input that the app received. The following entries are its effects.
        case input
        /// A value that the app read from a dependency.
        case value
        /// A request that the app made to a dependency.
        case request
        /// An action was dispatched.
        case action
        /// The end of the recording, with the reason.
        case end
    }

    /// The domain of an environment's start.
    package static let launch = "environment"
    /// The domain of the SDK's own inputs.
    package static let sdk = "sdk"
    /// The domain of an app's own inputs.
    package static let app = "app"
    package static let tracking = "tracking"
    /// The domain of an event's sequence number, as assigned by the log.
    package static let seq = "log/seq"
    /// The domain of the log's reason for rejecting an event.
    package static let refusal = "log/refusal"

    package let kind: Kind
    /// The part of the app, or the dependency.
    package let domain: String
    /// The environment's number within the recording, from 1; nil if the entry belongs to none.
    package let environment: Int?
    /// The user of `Tracker.as(user:)` whose entry it is; nil for the environment's user.
    package let user: String?
    /// JSON; nil if the payload could not be encoded.
    package let payload: [UInt8]?

    package init(kind: Kind, domain: String, environment: Int?, user: String? = nil, payload: [UInt8]?) {
        self.kind = kind
        self.domain = domain
        self.environment = environment
        self.user = user
        self.payload = payload
    }

    package init(
        _ kind: Kind, domain: String, environment: Int?, user: String? = nil, payload: some Encodable
    ) {
        self.init(
            kind: kind, domain: domain, environment: environment, user: user,
            // The code that writes entries recognizes the missing payload; the error has no further details.
            payload: try? JSONLineEncoder.encode(payload))
    }

    /// The line, without the line feed. This is the only code that knows the order of members.
    ///
    /// - Parameters:
    ///   - index: The entry's index, from 1.
    ///   - cause: The index of the input that caused it; nil outside any input.
    ///   - user: The user of the entry; nil if not known.
    package func line(index: Int64, cause: Int64?, user: String?) -> [UInt8] {
        var json = JSONWriter(capacity: 160 + (payload?.count ?? 0))
        json.beginObject()
        json.key("index")
        json.integer(index)
        json.key("kind")
        json.string(kind.rawValue)
        json.key("domain")
        json.string(domain)
        if let environment {
            json.key("environment")
            json.integer(environment)
        }
        if let user {
            json.key("user")
            json.string(user)
        }
        if let cause {
            json.key("in")
            json.integer(cause)
        }
        json.key("payload")
        if let payload { json.value(payload) } else { json.null() }
        json.endObject()
        return json.bytes
    }
}
