internal import Foundation
internal import Primitives

/// What a sender was told, noted where no kill can take it away: in a file that it shares with the harness.
///
/// Every note is one store to shared memory. The system has it from then on, so a SIGKILL at any instruction leaves
/// an exact note. Before a send the lane's `begun` rises, after it the number that the event got is stored and
/// `acknowledged` rises: noted N means that events 1…N were answered, and N + 1 may be in the log if it was begun.
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
    /// How many threads send.
    package let lanes: Int
    /// How many events a lane has room for.
    package let capacity: Int

    /// Makes a notebook; the file takes room only for what is written.
    package init(creating path: String, lanes: Int, capacity: Int) throws {
        self.lanes = lanes
        self.capacity = capacity
        length = 8 * (Self.headerWords + lanes * capacity)
        words = try Self.map(path, flags: O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, length: length)
        store(UInt64(lanes), at: Word.lanes)
        store(UInt64(capacity), at: Word.capacity)
        store(Self.magic, at: Word.magic)
    }

    /// Opens the notebook that the harness made.
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

    // MARK: Events

    /// Notes that an event is about to be sent.
    package func begin(lane: Int, number: Int) { store(UInt64(number), at: Word.begun(lane)) }

    /// Notes the number that an event was told to have, nil for one that was refused.
    package func acknowledge(lane: Int, number: Int, seq: Int64?) {
        store(UInt64(seq ?? 0), at: entry(lane, number))
        store(UInt64(number), at: Word.acknowledged(lane))
    }

    /// The last event of a lane that was about to be sent.
    package func begun(lane: Int) -> Int { Int(load(Word.begun(lane))) }

    /// The last event of a lane whose `send` has returned.
    package func acknowledged(lane: Int) -> Int { Int(load(Word.acknowledged(lane))) }

    /// The number that an acknowledged event was told to have; nil if it was refused.
    package func seq(lane: Int, number: Int) -> Int64? {
        let seq = load(entry(lane, number))
        return seq == 0 ? nil : Int64(seq)
    }

    /// All acknowledged events of all lanes.
    package var acknowledged: Int { (0..<lanes).reduce(0) { $0 + acknowledged(lane: $1) } }

    /// Whether a lane is within `send`.
    package var isInsideSend: Bool { (0..<lanes).contains { begun(lane: $0) > acknowledged(lane: $0) } }

    // MARK: Activity

    /// Notes what begins.
    package func enter(_ activity: Activity) {
        word(Word.activity).bitwiseOr(activity.rawValue, ordering: .acquiringAndReleasing)
    }

    /// Notes what ends.
    package func leave(_ activity: Activity) {
        word(Word.activity).bitwiseAnd(~activity.rawValue, ordering: .acquiringAndReleasing)
    }

    /// What the sender is doing, or was doing when it ended.
    package var activity: Activity { Activity(rawValue: load(Word.activity)) }

    /// Counts something that the SDK could not do.
    package func noteDiagnostic() { word(Word.diagnostics).wrappingAdd(1, ordering: .relaxed) }

    /// How much the SDK could not do.
    package var diagnostics: Int { Int(load(Word.diagnostics)) }

    // MARK: Gates

    /// Waits until the harness opens the next gate.
    package func passGate() {
        let gate = word(Word.arrivals).wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
        while load(Word.openings) < gate { usleep(200) }
    }

    /// How many gates the sender has reached.
    package var arrivals: Int { Int(load(Word.arrivals)) }

    /// Opens the next gate.
    package func openGate() { word(Word.openings).wrappingAdd(1, ordering: .acquiringAndReleasing) }
}
