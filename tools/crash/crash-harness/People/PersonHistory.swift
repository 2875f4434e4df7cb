import CrashSupport

/// Whose event it is.
enum PersonName: Hashable, Sendable {
    /// An anonymous person, by the call that made the device's id.
    case device(Int)
    case user(String)
}

/// Identity, consent and removals after each call, if each call in doubt has a certain result. Written from the table of the
/// guide *Users and consent*, not from the code of the SDK.
struct PersonHistory: Sendable {
    enum Removal: Int, Sendable {
        /// The process may have ended before it removed the events.
        case possible
        case certain
    }

    /// The parts of `identify`, in their order.
    enum Part {
        /// Another user is signed out.
        case signOut
        /// The consents are linked.
        case consent
        case whole
    }

    fileprivate struct Person {
        var isGranted: Bool?
        /// When the person answered.
        var answer = 0
        var inheritsDenial = false
        /// The user who signed in on this device.
        var user: String?
    }

    /// The situation after a call.
    struct Moment {
        /// When the call may have been in effect, and when it was for certain.
        let begin: UInt64
        let end: UInt64
        fileprivate let people: [PersonName: Person]
        fileprivate let removals: [Marker: Removal]
    }

    private let requiresConsent: Bool
    private var device = 0
    private var user: String?
    private var people: [PersonName: Person] = [:]
    private var owners: [Marker: PersonName] = [:]
    private var removals: [Marker: Removal] = [:]
    /// The ids of devices, as found in events.
    private var devices: [Int: String] = [:]
    private var moments: [Moment]

    init(requiresConsent: Bool) {
        self.requiresConsent = requiresConsent
        moments = [Moment(begin: 0, end: 0, people: [:], removals: [:])]
    }

    /// The person who sends now.
    var present: PersonName { user.map(PersonName.user) ?? .device(device) }

    /// Whether the present person is identified.
    var hasUser: Bool { user != nil }

    /// The consent of the present person, as a process states it.
    var consent: (value: String, isAnswered: Bool) { consent(of: present, people) }

    private func consent(of name: PersonName, _ people: [PersonName: Person]) -> (value: String, isAnswered: Bool) {
        let person = people[name] ?? Person()
        if let isGranted = person.isGranted { return (isGranted ? "granted" : "denied", true) }
        return (person.inheritsDenial ? "denied" : requiresConsent ? "unknown" : "granted", false)
    }

    // MARK: Events

    /// The present person sends an event.
    mutating func send(_ marker: Marker) { owners[marker] = present }

    /// Whether an event may have this user in its line. The id of a device is learned from its first event.
    mutating func matches(_ marker: Marker, user: String?) -> Bool {
        switch owners[marker] {
        case nil: return true
        case .user(let owner)?: return user == owner
        case .device(let number)?:
            if let known = devices[number] { return user == known }
            guard let user, !user.hasPrefix("user-"), !devices.values.contains(user) else { return false }
            devices[number] = user
            return true
        }
    }

    /// Whether an event may be in a request that begins at a time.
    func mayDeliver(_ marker: Marker, at time: UInt64) -> Bool {
        let last = moments.lastIndex { $0.end <= time } ?? 0
        return moments[last...].contains { $0.begin <= time && mayDeliver(marker, $0.people, $0.removals) }
    }

    /// Whether an event must have been delivered in the end.
    func mustDeliver(_ marker: Marker) -> Bool { mayDeliver(marker, people, removals) }

    private func mayDeliver(_ marker: Marker, _ people: [PersonName: Person], _ removals: [Marker: Removal]) -> Bool {
        guard let owner = owners[marker] else { return true }
        return removals[marker] != .certain && consent(of: owner, people).value == "granted"
    }

    /// Whether an event was removed if it was not delivered.
    func removal(of marker: Marker) -> Removal? { removals[marker] }

    // MARK: Calls

    /// Performs a call.
    ///
    /// - Parameters:
    ///   - number: The call's number, from 1.
    ///   - later: Events that another thread may have sent after the call.
    ///   - part: The last part of an interrupted call that is in effect.
    mutating func perform(_ call: PersonCall, number: Int, later: Set<Marker>, through part: Part = .whole) {
        switch call.change {
        case .answer(let isGranted):
            let names = withDevices([user.map(PersonName.user), .device(device)].compactMap(\.self))
            for name in names {
                people[name, default: Person()].isGranted = isGranted
                people[name]?.answer = number
            }
            // Once it has returned, the answer and the removal are stored.
            if !isGranted { remove(names, call.isInDoubt ? .possible : .certain, later) }
        case .identify(let new):
            guard new != user else { break }
            if user != nil { reset(number) }
            if part == .signOut { break }
            link(.user(new))
            if part == .whole { user = new }
        case .reset: reset(number)
        }
        moments.append(Moment(begin: call.begin, end: call.end, people: people, removals: removals))
    }

    private mutating func reset(_ number: Int) {
        let (former, status) = (present, consent)
        if user == nil, status.value == "unknown" { remove([former], .possible, []) }
        device = number
        user = nil
        people[.device(number), default: Person()].inheritsDenial = status.value == "denied"
    }

    /// The anonymous person turns out to be a user.
    private mutating func link(_ user: PersonName) {
        let both = [people[.device(device)] ?? Person(), people[user] ?? Person()]
        var linked = Person()
        if let later = both.filter({ $0.isGranted != nil }).max(by: { $0.answer < $1.answer }) {
            (linked.isGranted, linked.answer) = (later.isGranted, later.answer)
        } else {
            linked.inheritsDenial = both[0].inheritsDenial
        }
        if case .user(let name) = user { people[.device(device), default: Person()].user = name }
        let names = withDevices([user])
        for name in names {
            linked.user = people[name]?.user
            people[name] = linked
        }
        if consent(of: user, people).value == "denied" { remove(names, .possible, []) }
    }

    /// The names, and the devices on which these users have signed in.
    private func withDevices(_ names: [PersonName]) -> Set<PersonName> {
        let devices = people.filter { name, person in person.user.map { names.contains(.user($0)) } ?? false }
        return Set(names).union(devices.keys)
    }

    private mutating func remove(_ names: Set<PersonName>, _ removal: Removal, _ later: Set<Marker>) {
        for (marker, owner) in owners where names.contains(owner) && removals[marker] != .certain {
            removals[marker] = later.contains(marker) ? .possible : removal
        }
    }
}
