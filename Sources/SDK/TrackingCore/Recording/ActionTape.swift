package import EventLog
package import Flux
internal import JSONLines

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

/// What an entry of a recording says, without its place in it.
package struct TapeEntry: Sendable {
    /// The kinds of entry.
    package enum Kind: String, Sendable {
        /// Something came to the app, which did what follows.
        case input
        /// The app asked the outside for a value, and got it.
        case value
        /// The app asked the outside to do something.
        case request
        /// An action was dispatched.
        case action
        /// The recording ends here, and why.
        case end
    }

    /// The domain of an environment's start.
    package static let launch = "environment"
    /// The domain of what comes to the SDK itself.
    package static let sdk = "sdk"
    /// The domain of an app's own inputs.
    package static let app = "app"
    /// The domain of the tracking actions.
    package static let tracking = "tracking"
    /// The domain of an event's number, as the log gave it.
    package static let seq = "log/seq"
    /// The domain of the log's reason for not taking an event.
    package static let refusal = "log/refusal"

    package let kind: Kind
    /// Which part of the app or of its outside.
    package let domain: String
    /// The environment's number within the recording, from 1; nil if it is about none.
    package let environment: Int?
    /// JSON; nil for what could not be encoded.
    package let payload: [UInt8]?

    package init(kind: Kind, domain: String, environment: Int?, payload: [UInt8]?) {
        self.kind = kind
        self.domain = domain
        self.environment = environment
        self.payload = payload
    }

    package init(_ kind: Kind, _ domain: String, environment: Int?, _ payload: some Encodable) {
        // An entry without a payload is told from all others where it is written; the error would say no more.
        self.init(kind: kind, domain: domain, environment: environment, payload: try? JSONLineEncoder.encode(payload))
    }

    /// The line, without the line feed: the only place that knows the order of members.
    ///
    /// - Parameters:
    ///   - index: From 1, one more with each line.
    ///   - cause: The index of the input within which it happened; nil outside of any.
    ///   - user: Whose line it is; nil if that is not known.
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
