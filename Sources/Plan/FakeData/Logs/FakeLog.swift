package import EventModel
internal import JSONLines
internal import Primitives
package import TrackingPlan

/// Generates the lines of a log as the SDK writes them: users with one install each, sessions from `launch` to
/// `background`, consecutive numbers, and ascending times.
///
/// The log is endless, and its memory depends only on the number of users. Use it on one thread at a time.
package final class FakeLog {
    package struct Options: Sendable {
        /// The random seed.
        package var seed: UInt64 = 0
        /// The number of users, at least 1.
        package var users = 100
        /// The time of the first event; 2025-01-01T00:00:00Z by default.
        package var start = EventTime(microseconds: 1_735_689_600_000_000)

        package init() {}
    }

    private let options: Options
    private let events: [FakeEvent]
    /// The indexes in ``events`` of the events within a session, repeated by their weight.
    private let between: [Int]
    private var users: FakeUsers
    private var random: SplitMix64
    private var checker: LineChecker
    private var json = JSONWriter(capacity: 1024)

    /// The approximate number of events per session.
    package static let eventsPerSession = 12

    /// Makes a log of some events of a plan.
    ///
    /// - Throws: ``FakeDataError`` if no value can be generated for an event.
    package init(_ plan: CompiledPlan, of schemas: [PlanSchema], options: Options) throws(FakeDataError) {
        self.options = options
        var events: [FakeEvent] = []
        for schema in schemas {
            let maker = try ValueMaker(plan.schemas, at: plan.uriForEvents(of: schema), named: schema.path)
            var random = SplitMix64(seed: options.seed)
            var json = JSONWriter()
            try maker.write(&random, now: options.start, to: &json)
            events.append(FakeEvent(schema, maker))
        }
        guard !events.isEmpty else { throw FakeDataError(location: "the plan", reason: "the plan has no events") }
        self.events = events
        var between: [Int] = []
        for location in events.indices where events[location].turn == .between {
            between += Array(repeating: location, count: events[location].weight)
        }
        self.between = between.isEmpty ? Array(events.indices) : between
        var random = SplitMix64(seed: SplitMix64.mixed(options.seed &+ 1))
        users = FakeUsers(inOrder: Self.users(options, &random))
        self.random = random
        checker = LineChecker(plan)
    }

    /// Returns the users, the first one at the start and the others within the following half day.
    private static func users(_ options: Options, _ random: inout SplitMix64) -> [FakeUser] {
        let count = min(max(options.users, 1), maximumUsers)
        let step = 43_200_000_000 / Int64(count)
        return (0..<count).map { number in
            let late = number == 0 ? 0 : Int64(random.below(UInt64(max(step, 1))))
            return FakeUser(time: options.start.microseconds + Int64(number) * step + late, number: UInt32(number))
        }
    }

    /// The maximum number of users, to limit memory.
    package static let maximumUsers = 1_000_000

    /// Calls `body` with the next line, without a line feed.
    ///
    /// - Throws: ``FakeDataError`` if no valid value was found.
    package func withNextLine<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        try writeLine()
        return try json.withUnsafeBytes(body)
    }

    private func writeLine() throws(FakeDataError) {
        json.removeAll()
        let event = try users.next { user throws(FakeDataError) in
            let event = turn(&user)
            try write(event, of: user)
            move(&user)
            return event
        }
        let isValid = json.withUnsafeBytes { checker.validEvent($0) != nil }
        guard isValid else { throw issue(events[event].schema) }
    }

    /// Returns why a line is invalid although its event is valid.
    private func issue(_ schema: PlanSchema) -> FakeDataError {
        let finding = json.withUnsafeBytes { checker.check($0).findings.first }
        return FakeDataError(
            location: schema.path,
            reason: "its lines do not satisfy the plan: \(finding?.message ?? "they are invalid")")
    }

    /// Returns the index of the next event.
    private func turn(_ user: inout FakeUser) -> Int {
        if user.isStarting {
            user.isStarting = false
            user.left = UInt16(4 + random.below(2 * (Self.eventsPerSession - 4)))
            if let first = events.firstIndex(where: { $0.turn == .first }) { return first }
        }
        if user.left == 1, let last = events.firstIndex(where: { $0.turn == .last }) { return last }
        return between[random.below(between.count)]
    }

    /// Computes the time of the next event: soon, or after a pause that ends the session.
    private func move(_ user: inout FakeUser) {
        user.sent &+= 1
        user.left -= 1
        guard user.left == 0 else {
            // Up to 90 seconds, usually less.
            user.time += 200_000 + Int64(min(random.below(90_000_000 as UInt64), random.below(90_000_000 as UInt64)))
            return
        }
        user.session &+= 1
        user.isStarting = true
        // From 45 minutes to a day.
        user.time +=
            2_700_000_000 + Int64(min(random.below(83_700_000_000 as UInt64), random.below(83_700_000_000 as UInt64)))
    }

    private func write(_ event: Int, of user: FakeUser) throws(FakeDataError) {
        let schema = events[event].schema
        let identity = FakeIdentity(seed: options.seed, number: user.number)
        let time = EventTime(microseconds: user.time)
        json.beginObject()
        json.key(.version)
        json.integer(1)
        json.key(.id)
        let id = EventID(
            milliseconds: time.milliseconds, counter: UInt16(random.below(0x1000)), random: random.next())
        json.plainString(count: EventID.textLength) { id.writeText(to: $0) }
        json.key(.installID)
        writeUUID(identity.installID)
        json.key(.seq)
        json.integer(Int64(user.sent) + 1)
        json.key(.sessionID)
        writeUUID(identity.sessionID(user.session))
        json.key(.userID)
        writeUUID(identity.userID)
        json.key(.time)
        json.seconds(microseconds: user.time)
        json.key(.schema)
        json.string(schema.reference)
        json.key(.context)
        identity.writeContext(to: &json)
        if let origin = identity.origin {
            json.key(.origin)
            json.beginObject()
            json.key(.installID)
            writeUUID(origin)
            json.key(.seq)
            json.integer(Int64(user.sent) + 1)
            json.endObject()
        }
        json.key(.event)
        try events[event].maker.write(&random, now: time, to: &json)
        json.endObject()
    }

    /// Writes an id in upper case, like the system's UUIDs.
    private func writeUUID(_ id: EventID) {
        json.plainString(count: EventID.textLength) { text in
            id.writeText(to: text)
            for location in text.indices where text[location] >= UInt8(ascii: "a") { text[location] &= 0xDF }
        }
    }
}

/// An event of a log: the generator of its values, and its frequency.
struct FakeEvent {
    /// The position of an event in a session.
    enum Turn {
        case first, last, between
    }

    let schema: PlanSchema
    let maker: ValueMaker
    let turn: Turn
    /// The weight among the events within a session.
    let weight: Int

    init(_ schema: PlanSchema, _ maker: ValueMaker) {
        self.schema = schema
        self.maker = maker
        switch schema.name {
        case "launch": turn = .first
        case "background": turn = .last
        default: turn = .between
        }
        let words = schema.name.split(separator: "-")
        weight = Self.weights.first { words.contains($0.word) }?.weight ?? 15
    }

    /// Screens are more frequent than searches, and searches more frequent than failures.
    private static let weights: [(word: Substring, weight: Int)] = [
        ("view", 60), ("screen", 60), ("search", 25), ("notification", 5), ("error", 2), ("crash", 2), ("failed", 2),
    ]
}
