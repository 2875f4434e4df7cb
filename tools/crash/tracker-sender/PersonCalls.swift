internal import CrashSupport
internal import EventLog
internal import Foundation
internal import Primitives
internal import Tracking
internal import TrackingCore

/// The calls for many users, each recorded before it begins and after it has returned. A lane has its own users, and makes one
/// call after another.
struct PersonCalls: Sendable {
    static let lanes = 3

    let tracker: Tracker
    let journal: CallJournal
    let run: Int
    let seed: UInt64

    /// Sends, answers and erases until the process is killed.
    ///
    /// - Parameters:
    ///   - people: Users of earlier runs.
    ///   - unfinished: Users whose erasure may not have begun, because the process was killed: erased again.
    func work(lane: Int, people: [Person], unfinished: [Person]) async {
        var random = SplitMix64(seed: seed ^ UInt64(lane + 1) << 32)
        for person in unfinished { await erase(person, using: &random) }
        var people = people
        var (number, drawn, erased) = (lane, lane, 0)
        while true {
            switch random.below(100) {
            case ..<45:
                guard let person = random.one(of: people) else { break }
                number += Self.lanes
                send(PersonMarker(person, number: number, using: &random))
            case ..<52 where people.count < 9:
                people.append(Person(run: run, number: drawn))
                drawn += Self.lanes
            case ..<55:
                guard let person = random.one(of: people.filter { $0.role == .answers }) else { break }
                await answer(random.happens(50) ? .denied : .granted, of: person)
            case ..<57 where erased < 2:
                // Usually with events that were delivered before.
                let leaving = people.filter { $0.role == .leaves && ($0.run < run || random.happens(10)) }
                guard let person = random.one(of: leaving) else { break }
                people.removeAll { $0 == person }
                erased += 1
                await erase(person, using: &random)
            default:
                // Ends early when cancelled, which never happens.
                try? await Task.sleep(for: .microseconds(Int64(random.below(15_000))))
            }
        }
    }

    func flushAgainAndAgain() async {
        var random = SplitMix64(seed: ~seed)
        while true {
            await tracker.flush()
            // Ends early when cancelled, which never happens.
            try? await Task.sleep(for: .microseconds(Int64(random.below(20_000))))
        }
    }

    /// Erases the users whose erasure was interrupted, and delivers until all sinks have everything and have answered all
    /// erasures.
    ///
    /// - Returns: Whether this was done within 60 seconds.
    func finish(in folder: String, unfinished: [Person]) async throws -> Bool {
        var random = SplitMix64(seed: seed)
        try await tracker.opened()
        for person in unfinished {
            var attempts = 1
            while await !erase(person, using: &random), attempts < 5 {
                attempts += 1
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        try await tracker.flushToDisk()
        let path = folder + "/events.sqlite"
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            await tracker.flush()
            let reader = try EventLogReader(path: path)
            let (last, cursors) = (try reader.statistics().lastSeq, try reader.cursors())
            if !FileManager.default.fileExists(atPath: path + ".erasures"), cursors.count == 2,
                cursors.allSatisfy({ $0.acknowledged >= last })
            {
                return true
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    private func send(_ marker: PersonMarker) {
        journal.note("send", "\(marker)")
        guard let receipt = tracker.as(user: "\(marker.person)")?.send(PersonEvent(marker)) else {
            return journal.note("dropped", "\(marker)")
        }
        journal.note("sent", "\(marker)", receipt.seq.map { "\($0)" } ?? "pending")
    }

    private func answer(_ choice: ConsentChoice, of person: Person) async {
        journal.note("call", choice.rawValue, "\(person)")
        do {
            try await tracker.as(user: "\(person)")?.setConsent(choice)
            journal.note("returned", choice.rawValue, "\(person)")
        } catch {
            journal.noteError("setConsent: \(error)")
        }
    }

    /// - Returns: Whether the log has erased the user.
    @discardableResult
    private func erase(_ person: Person, using random: inout SplitMix64) async -> Bool {
        journal.note("call", "erase", "\(person)")
        do {
            let result: ErasureResult?
            if random.happens(50) {
                result = try await tracker.erase(user: "\(person)")
            } else {
                result = try await tracker.as(user: "\(person)")?.erase()
            }
            journal.note("returned", "erase", "\(person)", result?.isComplete == true ? "done" : "pending")
            return true
        } catch {
            journal.noteError("erase: \(error)")
            return false
        }
    }
}
