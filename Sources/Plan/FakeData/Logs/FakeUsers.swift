internal import EventModel
internal import JSONLines
internal import Primitives

/// Users in the order of their next events: a heap, the first in front.
struct FakeUsers {
    private var users: [FakeUser]

    /// Takes users in the order of their times.
    init(inOrder users: [FakeUser]) { self.users = users }

    /// Lets the user whose event is next send it, and find out when the one after it is.
    mutating func next<Result, Failure>(_ send: (inout FakeUser) throws(Failure) -> Result) throws(Failure) -> Result {
        let result = try send(&users[0])
        sink()
        return result
    }

    /// Brings the first one to its place.
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

/// Somebody whose app sends events: an install of their own, one session after the other.
///
/// Small, because a log may have a million of them; who they are follows from their number.
struct FakeUser {
    /// When the next event is sent, in microseconds since 1970.
    var time: Int64
    let number: UInt32
    /// How many events were sent.
    var sent: UInt32 = 0
    /// How many sessions were before this one.
    var session: UInt32 = 0
    /// How many events of this session are still to come.
    var left: UInt16 = 0
    /// Whether the session begins with the next one.
    var isStarting = true

    /// The order of the events in a log: by time, then by number.
    static func < (left: Self, right: Self) -> Bool { (left.time, left.number) < (right.time, right.number) }
}

/// What stands in the lines of a user, made of the log's seed and the user's number.
struct FakeIdentity {
    private let seed: UInt64
    private let number: UInt32

    init(seed: UInt64, number: UInt32) {
        self.seed = seed
        self.number = number
    }

    /// An id of the user; another one for each purpose.
    private func id(_ purpose: UInt64) -> EventID {
        var random = SplitMix64(seed: SplitMix64.mixed(seed &+ UInt64(number) << 32 ^ purpose))
        return Words.eventID(&random)
    }

    var installID: EventID { id(1) }
    var userID: EventID { id(2) }
    func sessionID(_ session: UInt32) -> EventID { id(3 + UInt64(session)) }

    /// The install that sent the events first, of a few: theirs came by a replay into this log.
    var origin: EventID? { number % 10 == 3 ? id(0) : nil }

    private static let apps = ["Sample 2.0", "Sample 2.1", "Sample 2.1.1", "Sample 2.2"]

    /// What the events are sent with, as JSON.
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
