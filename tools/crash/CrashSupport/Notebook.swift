internal import Foundation
internal import Primitives

/// The results that a sender received, in a file that it shares with the harness, so that they survive a kill.
///
/// Each note is a single store to shared memory and takes effect immediately, so a SIGKILL at any instruction leaves
/// exact notes. Before a send, the lane's `begun` rises; after it, the event's number is stored and `acknowledged`
/// rises. If N is noted, events 1…N were answered, and event N + 1 may be in the log if it was begun.
package final class Notebook: @unchecked Sendable {  // all shared words are atomics
    private static let magic: UInt64 = 0x6372_6173_686E_6F74
    private static let headerWords = 512

    private enum Word {
        static let magic = 0
        static let lanes = 1
        static let capacity = 2
        static let activity = 3
        static let arrivals = 4
        static let openings = 5
        static let diagnostics = 6
        static func begun(_ lane: Int) -> Int { 16 + 2 * lane }
        static func acknowledged(_ lane: Int) -> Int { 17 + 2 * lane }
    }

    private let words: UnsafeMutablePointer<UInt64>
    private let length: Int
    /// The number of sending threads.
    package let lanes: Int
    /// The maximum number of events per lane.
    package let capacity: Int

    /// Creates a notebook; the file uses space only for written pages.
    package init(creating path: String, lanes: Int, capacity: Int) throws {
        self.lanes = lanes
        self.capacity = capacity
        length = 8 * (Self.headerWords + lanes * capacity)
        words = try Self.map(path, flags: O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, length: length)
        store(UInt64(lanes), at: Word.lanes)
        store(UInt64(capacity), at: Word.capacity)
        store(Self.magic, at: Word.magic)
    }

    /// Opens the notebook that the harness created.
    package init(opening path: String) throws {
        let header = try Self.map(path, flags: O_RDWR | O_CLOEXEC, length: 8 * Self.headerWords)
        let isOurs = AtomicWord(header).load(ordering: .acquiring) == Self.magic
        lanes = Int(AtomicWord(header + Word.lanes).load(ordering: .relaxed))
        capacity = Int(AtomicWord(header + Word.capacity).load(ordering: .relaxed))
        munmap(header, 8 * Self.headerWords)
        guard isOurs else { throw POSIXError(.EINVAL) }
        length = 8 * (Self.headerWords + lanes * capacity)
        words = try Self.map(path, flags: O_RDWR | O_CLOEXEC, length: length)
    }

    deinit { munmap(words, length) }

    private static func map(_ path: String, flags: Int32, length: Int) throws -> UnsafeMutablePointer<UInt64> {
        let descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { close(descriptor) }
        if flags & O_CREAT != 0, ftruncate(descriptor, off_t(length)) != 0 {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        guard let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return memory.assumingMemoryBound(to: UInt64.self)
    }

    private func word(_ index: Int) -> AtomicWord { AtomicWord(words + index) }

    private func store(_ value: UInt64, at index: Int) { word(index).store(value, ordering: .releasing) }

    private func load(_ index: Int) -> UInt64 { word(index).load(ordering: .acquiring) }

    private func entry(_ lane: Int, _ number: Int) -> Int { Self.headerWords + lane * capacity + number - 1 }

    /// Records that an event is about to be sent.
    package func begin(lane: Int, number: Int) { store(UInt64(number), at: Word.begun(lane)) }

    /// Records the number of an event, nil for a rejected event.
    package func acknowledge(lane: Int, number: Int, seq: Int64?) {
        store(UInt64(seq ?? 0), at: entry(lane, number))
        store(UInt64(number), at: Word.acknowledged(lane))
    }

    /// The last event of a lane that was about to be sent.
    package func begun(lane: Int) -> Int { Int(load(Word.begun(lane))) }

    /// The last event of a lane whose `send` has returned.
    package func acknowledged(lane: Int) -> Int { Int(load(Word.acknowledged(lane))) }

    /// The number of an acknowledged event; nil if it was rejected.
    package func seq(lane: Int, number: Int) -> Int64? {
        let seq = load(entry(lane, number))
        return seq == 0 ? nil : Int64(seq)
    }

    /// The number of acknowledged events in all lanes.
    package var acknowledged: Int { (0..<lanes).reduce(0) { $0 + acknowledged(lane: $1) } }

    /// Whether a lane is inside `send`.
    package var isInsideSend: Bool { (0..<lanes).contains { begun(lane: $0) > acknowledged(lane: $0) } }

    /// Records the start of an activity.
    package func enter(_ activity: Activity) {
        word(Word.activity).bitwiseOr(activity.rawValue, ordering: .acquiringAndReleasing)
    }

    /// Records the end of an activity.
    package func leave(_ activity: Activity) {
        word(Word.activity).bitwiseAnd(~activity.rawValue, ordering: .acquiringAndReleasing)
    }

    /// The current activities of the sender, or those at its end.
    package var activity: Activity { Activity(rawValue: load(Word.activity)) }

    /// Counts a diagnostic of the SDK.
    package func noteDiagnostic() { word(Word.diagnostics).wrappingAdd(1, ordering: .relaxed) }

    /// The number of diagnostics.
    package var diagnostics: Int { Int(load(Word.diagnostics)) }

    /// Waits until the harness opens the next gate.
    package func passGate() {
        let gate = word(Word.arrivals).wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
        while load(Word.openings) < gate { usleep(200) }
    }

    /// The number of gates that the sender has reached.
    package var arrivals: Int { Int(load(Word.arrivals)) }

    /// Opens the next gate.
    package func openGate() { word(Word.openings).wrappingAdd(1, ordering: .acquiringAndReleasing) }
}
