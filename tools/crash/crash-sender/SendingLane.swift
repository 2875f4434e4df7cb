internal import CrashSupport
internal import Foundation
internal import Primitives
internal import TrackingCore

/// A thread that sends, records the results, and sometimes pauses.
struct SendingLane: Sendable {
    let model: Tracker
    let notebook: Notebook
    let run: Int
    let lane: Int
    let count: Int
    let isSmall: Bool
    /// The maximum pause between two bursts, in microseconds; 0 for none.
    let maximumPause: Int
    /// The event after which the lane waits for the harness; nil for none.
    let gateAfter: Int?
    /// Locks the database at the gate; nil to leave it alone.
    let holding: DatabaseNeighbour?
    let seed: UInt64
    /// Whether only numbers are recorded: a pending event gets its number later, and its result is unknown until then.
    var notesNumbersOnly = false

    /// Sends on a separate thread; returns when all events are sent.
    func send() async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                sendAll()
                continuation.resume()
            }
            thread.start()
        }
    }

    private func sendAll() {
        var random = SplitMix64(seed: seed ^ UInt64(lane))
        var left = Int.random(in: 1...8, using: &random)
        for number in stride(from: 1, through: min(count, notebook.capacity), by: 1) {
            let event = TokenEvent(Token(run: run, lane: lane, number: number), isSmall: isSmall)
            notebook.begin(lane: lane, number: number)
            let receipt = model.send(event)
            if !notesNumbersOnly || receipt?.seq != nil {
                notebook.acknowledge(lane: lane, number: number, seq: receipt?.seq)
            }
            if number == gateAfter { passGate() }
            left -= 1
            guard left == 0 else { continue }
            left = Int.random(in: 1...8, using: &random)
            if maximumPause > 0 { usleep(UInt32(Int.random(in: 0...maximumPause, using: &random))) }
        }
    }

    private func passGate() {
        // Not held: then what follows gets into the database, which the harness takes as well.
        try? holding?.holdForEver()
        notebook.passGate()
    }
}
