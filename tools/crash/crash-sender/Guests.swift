internal import CrashSupport
internal import EventLog
internal import Primitives
internal import TrackingCore

/// Adds people, tracks them, and stores their denial. Their events may be in a batch that is being delivered, which then becomes void.
struct Guests: Sendable {
    private enum Screen: RouteCommand {}

    let log: any EventStore
    let flusher: EventFlusher
    let notebook: Notebook
    let run: Int
    let seed: UInt64

    /// Runs until its task is cancelled.
    func comeAndGo() async throws {
        var random = SplitMix64(seed: seed &+ 17)
        let tracking = try TrackingEnvironment<Screen>.live(
            log: log, storage: InMemoryKeyValueStorage(), clock: SystemTrackingClock(), ids: RandomTrackingIDs(),
            flusher: flusher, sendingLimit: nil, session: .fresh, context: nil, diagnostics: { _ in }
        ).tracking
        var number = 0
        while !Task.isCancelled {
            tracking.reset()
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                number += 1
                tracking.send(TokenEvent(Token(run: run, lane: Token.guestLane, number: number), isSmall: true))
            }
            let pause = Duration.microseconds(Int64.random(in: 0...40_000, using: &random))
            try? await Task.sleep(for: pause)  // ends early when cancelled
            do { try await tracking.setConsent(.denied) } catch { notebook.noteDiagnostic() }
            do { try await tracking.setConsent(.granted) } catch { notebook.noteDiagnostic() }
        }
    }
}
