internal import EventModel
internal import JSONLines
internal import Primitives

/// The users in a heap, ordered by the time of their next event.
struct FakeUsers {
    private var users: [FakeUser]

    /// Makes a heap from users that are sorted by time.
    init(inOrder users: [FakeUser]) { self.users = users }

    /// Passes the user with the next event to `send`, which advances the user's time.
    mutating func next<Result, Failure>(_ send: (inout FakeUser) throws(Failure) -> Result) throws(Failure) -> Result {
        let result = try send(&users[0])
        sink()
        return result
    }

    /// Restores the heap order after the first user changed.
    private mutating func sink() {
        var location = 0
        while true {
            var least = location
            for child in [2 * location + 1, 2 * location + 2] where child < users.count && users[child] < users[least] {
                least = child
            }
            guard least != location else { return }
            users.swapAt(location, least)
            location = least
        }
    }
}

/// A user of the app, with one install and consecutive sessions.
///
/// Kept small, because a log may have a million users. Their identity is derived from their number.
struct FakeUser {
    /// The time of the next event, in microseconds since 1970.
    var time: Int64
    let number: UInt32
    /// The number of sent events.
    var sent: UInt32 = 0
    /// The number of earlier sessions.
    var session: UInt32 = 0
    /// The number of events left in this session.
    var left: UInt16 = 0
    /// Whether the next event starts the session.
    var isStarting = true

    /// Orders the events of a log by time, then by number.
    static func < (left: Self, right: Self) -> Bool { (left.time, left.number) < (right.time, right.number) }
}

/// The values in a user's lines, derived from the log's seed and the user's number.
struct FakeIdentity {
    private let seed: UInt64
    private let number: UInt32

    init(seed: UInt64, number: UInt32) {
        self.seed = seed
        self.number = number
    }

    /// Returns an id of the user, different for each purpose.
    private func id(_ purpose: UInt64) -> EventID {
        var random = SplitMix64(seed: SplitMix64.mixed(seed &+ UInt64(number) << 32 ^ purpose))
        return Words.eventID(&random)
    }

    var installID: EventID { id(1) }
    var userID: EventID { id(2) }
    func sessionID(_ session: UInt32) -> EventID { id(3 + UInt64(session)) }

    /// The install that first sent the events, for users whose events were replayed into this log.
    var origin: EventID? { number % 10 == 3 ? id(0) : nil }

    private static let apps = ["Sample 2.0", "Sample 2.1", "Sample 2.1.1", "Sample 2.2"]

    /// Writes the context of the events, as JSON.
    func writeContext(to json: inout JSONWriter) {
        json.beginObject()
        json.key("app")
        json.string(Self.apps[Int(number) % Self.apps.count])
        json.key("os")
        json.string(WordLists.systems[Int(number) % WordLists.systems.count])
        json.key("sdk")
        json.string("swift-tracking 0.1.0")
        json.endObject()
    }
}
