internal import EventLog
internal import EventModel
internal import Primitives

/// Makes an event's new id of its old one, its place and the run: the same each time it is asked.
package struct NewIDs: Sendable {
    /// What tells this run from all others.
    private let run: [UInt8]

    /// - Parameter run: A text that no other run has.
    package init(run: String) { self.run = Array(run.utf8) }

    /// A UUIDv7 of the event's new time; SHA-256 gives the rest of its bits.
    func id(for old: [UInt8], at time: EventTime, lane: Int, ordinal: Int) -> EventID {
        var message = run
        for number in [UInt64(lane), UInt64(ordinal)] {
            withUnsafeBytes(of: number.bigEndian) { message.append(contentsOf: $0) }
        }
        message.append(contentsOf: old)
        let digest = message.withUnsafeBufferPointer { SHA256.digest($0) }
        return EventID(
            milliseconds: time.milliseconds, counter: UInt16(truncatingIfNeeded: digest[0]),
            random: UInt64(digest[1]) << 32 | UInt64(digest[2]))
    }
}
