internal import CrashSupport
internal import EventLog
internal import Flux
internal import Foundation
internal import Primitives
internal import Tracking
internal import TrackingCore

/// The calls of a process, each recorded before it begins and after it has returned.
struct TrackerCalls: Sendable {
    let tracker: Tracker
    let journal: CallJournal
    let run: Int
    let seed: UInt64
    private let subscription: FluxSubscription

    init(tracker: Tracker, journal: CallJournal, run: Int, seed: UInt64) {
        (self.tracker, self.journal, self.run, self.seed) = (tracker, journal, run, seed)
        // The number of a pending event.
        subscription = tracker.dispatcher.subscribe { container in
            guard let marker = (container.event as? MarkedEvent)?.marker, marker.run == run else { return }
            journal.note("numbered", "\(marker)", "\(container.seq)")
        }
    }

    /// Waits until the log is open, and states the consent.
    func open() async throws {
        try await tracker.opened()
        let consent = tracker.consent
        journal.note("opened", consent.value.rawValue, consent.isAnswered ? "answered" : "open")
    }

    func send(_ marker: Marker) {
        journal.note("send", "\(marker)")
        guard let receipt = tracker.send(MarkedEvent(marker)) else { return journal.note("dropped", "\(marker)") }
        journal.note("sent", "\(marker)", receipt.seq.map { "\($0)" } ?? "pending")
    }

    /// Changes identity and consent, and sends, in random order.
    func changeAgainAndAgain() async {
        var random = SplitMix64(seed: seed)
        var left = random.happens(25) ? 1 + random.below(5) : 0
        // A denial rewrites the log, which leaves less time for deliveries.
        let denials = [0, 3, 8][random.below(3)]
        var number = 0
        // Changes of the identity that may not be stored in the database. The control file has only the last few.
        var unstored = 0
        while true {
            if left == 0 {
                do { try await open() } catch { journal.noteError("\(error)") }
            }
            left -= 1
            switch random.below(100) {
            case ..<45:
                number += 1
                send(Marker(run: run, lane: 0, number: number, using: &random))
            case ..<(45 + denials): await answer(.denied)
            case ..<62:
                await answer(.granted)
                unstored = 0
            case ..<72 where unstored < 2:
                unstored += 1
                let user = "user-\(random.below(4))"
                journal.note("call", "identify", user)
                tracker.identify(user)
                journal.note("returned")
            case ..<77 where unstored < 2:
                unstored += 1
                journal.note("call", "reset")
                tracker.reset()
                journal.note("returned")
            default:
                // Ends early when cancelled, which never happens.
                try? await Task.sleep(for: .microseconds(Int64(random.below(20_000))))
            }
        }
    }

    private func answer(_ choice: ConsentChoice) async {
        journal.note("call", choice.rawValue)
        do {
            try await tracker.setConsent(choice)
            journal.note("returned")
        } catch {
            journal.noteError("setConsent: \(error)")
        }
    }

    func sendAgainAndAgain(lane: Int) {
        var random = SplitMix64(seed: seed ^ UInt64(lane) << 32)
        for number in 1...2_000 {
            send(Marker(run: run, lane: lane, number: number, using: &random))
            usleep(UInt32(random.below(4_000)))
        }
    }

    func flushAgainAndAgain() async {
        var random = SplitMix64(seed: ~seed)
        while true {
            await tracker.flush()
            // Ends early when cancelled, which never happens.
            try? await Task.sleep(for: .microseconds(Int64(random.below(15_000))))
        }
    }

    /// Identifies users one after another, and sends an event as each of them.
    func identifyUsers() {
        var random = SplitMix64(seed: seed)
        for number in 1...4 {
            let user = "user-\(run)-\(number)"
            journal.note("call", "identify", user)
            guard tracker.identify(user) else { return journal.noteError("\(user) was rejected") }
            journal.note("returned")
            // The other process may identify its user in between.
            usleep(UInt32(random.below(1_000)))
            send(Marker(run: run, lane: 0, number: number, using: &random))
            usleep(UInt32(random.below(2_000)))
        }
    }

    /// Sends events without an identity.
    func sendAnonymously(count: Int) {
        var random = SplitMix64(seed: seed)
        for number in stride(from: 1, through: count, by: 1) {
            send(Marker(run: run, lane: 0, number: number, using: &random))
        }
    }

    /// Sends short events, which together have 4 MiB.
    func sendBurst(count: Int) {
        let text = String(repeating: "x", count: max(0, (4 << 20) / count - 40))
        var (accepted, pending) = (0, 0)
        for number in 1...count {
            guard let receipt = tracker.send(BurstEvent(number: number, text: text)) else { continue }
            accepted += 1
            if receipt.isPending { pending += 1 }
        }
        journal.note("accepted", "\(accepted)", "\(pending)")
    }
}
