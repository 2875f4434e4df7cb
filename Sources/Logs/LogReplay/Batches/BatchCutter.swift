internal import CZlib
internal import EventModel

/// Cuts the events of one lane into batches.
///
/// The events and their due times alone determine where a batch ends: by count, bytes, and the time between its
/// events. A later run that starts at the end of any batch cuts the same batches, byte for byte.
struct BatchCutter: Sendable {
    private let limits: BatchLimits
    /// The most bytes by which a line may still grow before it is sent.
    private let growth: Int
    private let linger: Int64
    private let lane: Int
    private var open: ReplayBatch?
    private var firstDue: Int64 = 0
    private var lastDue: Int64 = 0
    private var openBytes = 0
    /// The number of events so far.
    private(set) var count: Int
    /// The checksum of all lines so far, as read.
    private(set) var checksum: UInt = 0

    init(lane: Int, limits: BatchLimits, growth: Int) {
        self.lane = lane
        self.limits = limits
        self.growth = growth
        linger = limits.linger.nanoseconds
        count = 0
    }

    var openSize: BatchSize { BatchSize(events: open?.count ?? 0, bytes: open == nil ? 0 : openBytes) }

    /// Skips an event that an earlier run has sent.
    mutating func skip(_ line: UnsafeRawBufferPointer) {
        count += 1
        checksum = Self.checksum(line, after: checksum)
    }

    /// Adds an event.
    ///
    /// - Parameters:
    /// - line: The line to send.
    /// - original: The line as read.
    /// - due: In nanoseconds.
    /// - full: Called with each batch that is complete, with or without this event, and its due time.
    mutating func add(
        _ line: UnsafeRawBufferPointer, original: UnsafeRawBufferPointer, recorded: RecordedEvent?,
        purpose: Purpose, due: Int64, full: (ReplayBatch, _ due: Int64) -> Void
    ) {
        let bytes = line.count + 1 + growth
        if open != nil, openBytes + bytes > limits.bytes || due > firstDue + linger { close(full) }
        var batch = open ?? ReplayBatch(lane: lane, first: count)
        if open == nil {
            firstDue = due
            openBytes = 0
        }
        open = nil  // a second owner would copy its arrays
        count += 1
        checksum = Self.checksum(original, after: checksum)
        batch.append(line, for: purpose)
        if let recorded { batch.recorded.append(recorded) }
        batch.checksum = checksum
        openBytes += bytes
        lastDue = due
        open = batch
        if batch.count == limits.events || openBytes >= limits.bytes { close(full) }
    }

    /// Completes the open batch if an event due at this time would not fit into it.
    mutating func advance(to due: Int64, full: (ReplayBatch, _ due: Int64) -> Void) {
        if open != nil, due > firstDue + linger { close(full) }
    }

    /// Completes the open batch.
    mutating func close(_ full: (ReplayBatch, _ due: Int64) -> Void) {
        if let batch = open { full(batch, lastDue) }
        open = nil
    }

    private static func checksum(_ line: UnsafeRawBufferPointer, after checksum: UInt) -> UInt {
        let bytes = line.bindMemory(to: UInt8.self)
        return crc32(UInt(crc32(checksum, bytes.baseAddress, UInt32(bytes.count))), [0x0A], 1)
    }
}

package struct BatchLimits: Sendable, Equatable {
    /// The most events.
    package var events: Int
    /// The most bytes, including line feeds. A longer line is sent alone.
    package var bytes: Int
    /// The longest time between the due times of the first and the last event.
    package var linger: Duration

    package init(events: Int, bytes: Int, linger: Duration) {
        self.events = events
        self.bytes = bytes
        self.linger = linger
    }
}

struct BatchSize: Hashable, Sendable {
    let events: Int
    /// The bytes that count against the limit, including line feeds and possible growth of lines.
    let bytes: Int
}
