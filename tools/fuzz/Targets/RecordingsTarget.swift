internal import Foundation
internal import Primitives
internal import TrackingCore
internal import TrackingReplay

/// Recordings of actions: any file is replayed as far as it is valid, and each replay has the same result.
///
/// An input is a file.
package final class RecordingsTarget: FuzzTarget {
    package static let name = "recordings"

    private let file: ScratchFile

    package init() throws { file = try ScratchFile() }

    package func seeds() throws -> [[UInt8]] {
        let recording = try EchoApp.recording()
        let lines = recording.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
        // Truncated after each line, and with each line removed.
        let cut = lines.indices.map { Array(lines[...$0].joined()) }
        let gaps = lines.indices.map { Array((lines[..<$0] + lines[($0 + 1)...]).joined()) }
        return [recording] + cut + gaps
    }

    package func run(_ bytes: UnsafeRawBufferPointer) throws {
        try file.replace(with: bytes)
        let first = try play(until: nil)
        try require(first == (try play(until: nil)), "two replays of a recording differ")
        guard let first, first.lastIndex > 1 else { return }
        let half = try play(until: first.lastIndex / 2)
        try require(
            half?.lastIndex == first.lastIndex / 2 && first.events.starts(with: half?.events ?? []),
            "a part of a recording replays differently from the whole")
    }

    private struct Played: Equatable {
        let verdict: ReplayOutcome.Verdict
        let lastIndex: Int64
        let ending: ReplayOutcome.Ending?
        let events: [[UInt8]]
    }

    /// The result of a replay; nil if the file is not a recording or is damaged.
    private func play(until: Int64?) throws -> Played? {
        let events = Locked([[UInt8]]())
        let replay = ActionReplay(path: file.path) { EchoApp($0) }
        do throws(RecordingError) {
            let outcome = try replay.run(until: until) { line in events.withLock { $0.append(line) } }
            return Played(
                verdict: outcome.verdict, lastIndex: outcome.lastIndex, ending: outcome.ending,
                events: events.withLock { $0 })
        } catch {
            guard [.notARecording, .newerVersion, .damaged].contains(error.code) else {
                throw FuzzIssue("a file that is there cannot be read: \(error.code)")
            }
            return nil
        }
    }
}
