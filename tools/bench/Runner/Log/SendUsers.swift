import CBaselines
import Dispatch
import EventLog
import EventModel
import Foundation
import Primitives
import TrackingCore
import TrackingDomainEvents

/// The users of a server, in turn.
struct ServerUsers: Sendable {
    let live: LiveEnvironment
    let ids: [String]

    init(_ live: LiveEnvironment, count: Int, named name: String = "customer") {
        self.live = live
        ids = (0..<count).map { "\(name)-\(1_000_000 + $0)" }
    }

    /// Sends an event of a user; false if it was dropped.
    func send(_ number: Int) -> Bool {
        live.tracking.as(user: ids[number % ids.count])?.send(.search(query: "swift event tracking", page: 3)) != nil
    }
}

/// Events of many users, against those of the tracker's own person.
struct SendUsers: Benchmark {
    let name = "send-users"
    let summary = "tracking.as(user:).send(.search(…)) for users in turn, times as long as tracking.send(.search(…))"

    /// Half a ring holds as many.
    private static let count = 3000

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        let live = try LiveEnvironment(folder)
        let cached = ServerUsers(live, count: 10_000)
        let many = ServerUsers(live, count: 100_000, named: "visitor")
        var drops: Int64 = 0
        var next = 0
        func send(_ isSent: (Int) -> Bool) {
            for number in next..<next + Self.count where !isSent(number) { drops += 1 }
        }
        func measure(_ isSent: (Int) -> Bool) throws -> Double {
            let time = nanoseconds(1) { send(isSent) } / Double(Self.count)
            next += Self.count
            try waiting { try await live.log.commit() }
            return time
        }
        func instructions(_ isSent: (Int) -> Bool) throws -> Double? {
            let count = Instructions.count { send(isSent) }
            try waiting { try await live.log.commit() }
            return count.map { Double($0) / Double(Self.count) }
        }
        func blocks(_ isSent: (Int) -> Bool) throws -> Int64 {
            allocations_start()
            send(isSent)
            let count = allocations_stop()
            try waiting { try await live.log.commit() }
            return count
        }
        let plain = { (_: Int) in live.send() }
        for _ in 0..<5 { _ = try measure(plain) }
        // SQLite's cache grows with each event.
        func growth(_ isSent: (Int) -> Bool) throws -> Int64 {
            let before = allocated_bytes()
            for _ in 0..<4 { _ = try measure(isSent) }
            return allocated_bytes() - before
        }
        let bytes = try (-growth(plain) + growth(cached.send)) / Int64(cached.ids.count)
        let inCache = try Rounds(rounds, subject: { try measure(cached.send) }, baseline: { try measure(plain) })
        // The fewest, because the log's threads may still be busy with the events before.
        let allocations = try (0..<3).map { _ in try blocks(cached.send) }.min() ?? 0
        let ofPlain = try instructions(plain)
        let ofCached = try instructions(cached.send)
        let others = try Rounds(rounds, subject: { try measure(many.send) }, baseline: { try measure(plain) })
        let ofOthers = try instructions(many.send)
        try waiting { try await live.log.close() }
        return [
            Figure(name: "users in the cache", rounds: inCache, ratio: .timesAsLong, bar: .atMost(1.5)),
            Figure(name: "heap blocks of 3,000 of them", count: allocations, bar: .atMost(0)),
            Figure(name: "bytes of a user in the cache", count: bytes, bar: .atMost(300)),
            Figure(name: "other users", rounds: others, ratio: .timesAsLong, bar: .atMost(4)),
            Figure(name: "instructions, without users", value: ofPlain, unless: "not counted", bar: nil),
            Figure(name: "instructions, in the cache", value: ofCached, unless: "not counted", bar: nil),
            Figure(name: "instructions, other users", value: ofOthers, unless: "not counted", bar: nil),
            Figure(name: "drops", count: drops, bar: .atMost(0), isCheck: true),
        ]
    }
}

/// 100,000 users in turn from eight threads.
struct SendUsersThreads: Benchmark {
    let name = "send-users-threads"
    let summary = "100,000 users in turn from eight threads: lines with another user than their event's"

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        let live = try LiveEnvironment(folder)
        let ids = ServerUsers(live, count: 100_000).ids
        let threads = 8
        let drops = Locked<Int64>(0)
        for start in stride(from: 0, to: ids.count, by: 4000) {
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                var dropped: Int64 = 0
                for number in stride(from: start + thread, to: start + 4000, by: threads)
                where live.tracking.as(user: ids[number])?.send(.search(query: ids[number], page: 1)) == nil {
                    dropped += 1
                }
                drops.withLock { $0 += dropped }
            }
            try waiting { try await live.log.commit() }
        }
        var users: Set<String> = []
        var wrong: Int64 = 0
        var last: Int64 = 0
        while true {
            let events = try waiting { [last] in
                try await live.log.read(after: last, maximumCount: 5000, maximumBytes: .max)
            }
            guard let newest = events.last else { break }
            for event in events {
                let line = try RecordedContainer(line: event.line).json
                let user = line["user_id"]?.stringValue ?? ""
                if line["event"]?["value"]?["query"]?.stringValue != user { wrong += 1 }
                users.insert(user)
            }
            last = newest.seq
        }
        try waiting { try await live.log.close() }
        return [
            Figure(name: "wrong users", count: wrong, bar: .atMost(0)),
            Figure(name: "users", count: Int64(users.count), bar: .atLeast(100_000), isCheck: true),
            Figure(name: "drops", count: drops.withLock { $0 }, bar: .atMost(0), isCheck: true),
        ]
    }
}

/// The users of a server who answer: 100 a second agree, and 10 deny.
struct Answering: Sendable {
    private let task: Task<Int, Never>

    init(_ live: LiveEnvironment) {
        task = Task.detached {
            let clock = ContinuousClock()
            let start = clock.now
            var count = 0
            while !Task.isCancelled {
                // Lost: the sleep's cancellation, which the loop sees.
                try? await clock.sleep(until: start + .seconds(1) * count / 110)
                guard let user = live.tracking.as(user: "answering-\(count)") else { break }
                user.send(.search(query: "swift event tracking", page: 3))
                let isDenial = count % 11 == 10
                // As in a request's handler: the next request does not wait for it.
                Task { try await user.setConsent(isDenial ? .denied : .granted) }
                count += 1
            }
            return count
        }
    }

    /// How many have answered.
    func end() throws -> Int64 {
        task.cancel()
        return try waiting { [task] in Int64(await task.value) }
    }
}

/// How long the slowest sends last while other users answer.
struct SendUsersTail: Benchmark {
    let name = "send-users-tail"
    let summary = "the 99th percentile of sends while other users answer 110 times a second, times as long as without"

    private static let block = 4000

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        let live = try LiveEnvironment(folder)
        let users = ServerUsers(live, count: 10_000)
        var drops: Int64 = 0
        var next = 0
        var answers: Int64 = 0
        func tail() throws -> Double {
            var times: [Double] = []
            times.reserveCapacity(5 * Self.block)
            for _ in 0..<5 {
                for number in next..<next + Self.block {
                    var isSent = false
                    times.append(nanoseconds(1) { isSent = users.send(number) })
                    if !isSent { drops += 1 }
                }
                next += Self.block
                try waiting { try await live.log.commit() }
            }
            return Statistics(times).quantile(0.99)
        }
        func tailWithAnswers() throws -> Double {
            let answering = Answering(live)
            let time = try tail()
            answers += try answering.end()
            return time
        }
        let measured = try Rounds(rounds, subject: tailWithAnswers, baseline: tail)
        try waiting { try await live.log.close() }
        return [
            Figure(name: "99th percentile", rounds: measured, ratio: .timesAsLong, bar: .atMost(2)),
            Figure(name: "answers meanwhile", count: answers, bar: .atLeast(1), isCheck: true),
            Figure(name: "drops", count: drops, bar: .atMost(0), isCheck: true),
        ]
    }
}

/// The rate of delivery while other users answer.
struct DeliveryWithAnswers: Benchmark {
    let name = "answers"
    let summary = "the rate of delivery while other users answer 110 times a second, times that without"

    private static let count = 30_000

    func figures(rounds: Int) throws -> [Figure] {
        let folder = try LogFolder()
        let live = try LiveEnvironment(folder)
        let users = ServerUsers(live, count: 1000)
        var answers: Int64 = 0
        func flush() throws -> Double {
            for number in 0..<Self.count {
                _ = users.send(number)
                if number % 3000 == 0 { try waiting { try await live.log.commit() } }
            }
            try waiting { try await live.log.flushToDisk() }
            return nanoseconds(1) { try? waiting { await live.tracking.flush() } } / Double(Self.count)
        }
        func flushWithAnswers() throws -> Double {
            let answering = Answering(live)
            let time = try flush()
            answers += try answering.end()
            return time
        }
        let measured = try Rounds(max(rounds / 2, 1), subject: flushWithAnswers, baseline: flush)
        try waiting { try await live.log.close() }
        return [
            Figure(name: "rate", rounds: measured, ratio: .timesFaster, bar: .atLeast(0.8)),
            Figure(name: "answers meanwhile", count: answers, bar: .atLeast(1), isCheck: true),
        ]
    }
}

/// The next batch of a log with many answers.
struct StoredAnswers: Benchmark {
    let name = "stored-answers"
    let summary = "nextBatch with 100,000 stored answers, times as long as with none, or with a single denial"

    private static let answers = 100_000

    func figures(rounds: Int) throws -> [Figure] {
        var drops: Int64 = 0
        func sides(_ few: [ConsentChoice], _ many: (Int) -> ConsentChoice) throws -> Rounds {
            let empty = try Side(few, events: (rounds + 2) * EventBatch.maximumCount, drops: &drops)
            let full = try Side(
                (0..<Self.answers).map(many), events: (rounds + 2) * EventBatch.maximumCount, drops: &drops)
            return try Rounds(rounds, subject: full.next, baseline: empty.next)
        }
        let grants = try sides([]) { _ in .granted }
        let denials = try sides([.denied]) { $0 % 10 == 0 ? .denied : .granted }
        return [
            Figure(name: "agreements", rounds: grants, ratio: .timesAsLong, bar: .atMost(1.1)),
            Figure(name: "agreements and denials", rounds: denials, ratio: .timesAsLong, bar: .atMost(1.1)),
            Figure(name: "drops", count: drops, bar: .atMost(0), isCheck: true),
        ]
    }

    /// A log with answers and events.
    private struct Side {
        let folder: LogFolder
        let live: LiveEnvironment
        let lease: DeliveryLease

        init(_ answers: [ConsentChoice], events: Int, drops: inout Int64) throws {
            folder = try LogFolder()
            let live = try LiveEnvironment(folder)
            self.live = live
            try waiting {
                var changes: [NumberedConsentChange] = []
                for (number, choice) in answers.enumerated() {
                    let time = EventTime(seconds: 1_700_000_000)
                    let answer = ConsentAnswer(choice, people: ["answered-\(number)"], time: time)
                    changes.append(live.log.noteConsent(.answer(answer)))
                }
                try await live.log.storeConsents(changes)
            }
            for number in 1...events {
                if !live.send() { drops += 1 }
                if number % 3000 == 0 { try waiting { try await live.log.commit() } }
            }
            lease = try waiting {
                try await live.log.flushToDisk()
                let lease = try await live.log.beginDelivery(
                    to: "bench", lasting: .seconds(3600), at: SystemTrackingClock().now)
                guard let lease else { throw BenchmarkFailure("the consumer is leased") }
                return lease
            }
        }

        /// Nanoseconds until the next batch is sealed.
        func next() throws -> Double {
            let clock = ContinuousClock()
            let start = clock.now
            let batch = try waiting { [live, lease] in
                try await live.log.nextBatch(lease, through: .max, lasting: .seconds(3600))
            }
            let time = (clock.now - start) / .nanoseconds(1)
            guard let batch, let last = batch.records.last?.seq else { throw BenchmarkFailure("there is no batch") }
            _ = try waiting { [live, lease] in
                try await live.log.settle(
                    lease, batch: batch.id, .delivered(through: last, checkpoint: nil), pause: nil)
            }
            return time
        }
    }
}
