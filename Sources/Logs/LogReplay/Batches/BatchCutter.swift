internal import CZlib
internal import EventModel

/// Cuts the events of one lane into batches.
///
/// Where a batch ends is told by its own events and their plan alone: by count, bytes, and how far its events are due
/// from each other. So a later run that starts where any batch ended cuts the same ones, byte for byte.
struct BatchCutter: Sendable {
    private let limits: BatchLimits
    /// By how much a line may still grow until it is sent.
    private let growth: Int
    private let linger: Int64
    private let lane: Int
    private var open: ReplayBatch?
    private var firstDue: Int64 = 0
    private var lastDue: Int64 = 0
    private var openBytes = 0
    /// How many events the lane had so far.
    private(set) var count: Int
    /// Of all lines of the lane so far, as they were read.
    private(set) var checksum: UInt = 0

    init(lane: Int, limits: BatchLimits, growth: Int) {
        self.lane = lane
        self.limits = limits
        self.growth = growth
        linger = limits.linger.nanoseconds
        count = 0
    }

    /// How far the open batch has come.
    var openSize: BatchSize { BatchSize(events: open?.count ?? 0, bytes: open == nil ? 0 : openBytes) }

    /// Steps over an event that was sent before.
    mutating func skip(_ line: UnsafeRawBufferPointer) {
        count += 1
        checksum = Self.checksum(line, after: checksum)
    }

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - line: What is sent.
    ///   - original: What was read.
    ///   - due: Nanoseconds.
    ///   - full: Called with each batch that is complete without the event, or with it, and when it is due.
    mutating func add(
        _ line: UnsafeRawBufferPointer, original: UnsafeRawBufferPointer, recorded: RecordedEvent?, due: Int64,
        full: (ReplayBatch, _ due: Int64) -> Void
    ) {
        let bytes = line.count + 1 + growth
        if open != nil, openBytes + bytes > limits.bytes || due > firstDue + linger { close(full) }
        var batch = open ?? ReplayBatch(lane: lane, first: count)
        if open == nil { (firstDue, openBytes) = (due, 0) }
        open = nil  // its arrays have one owner
        count += 1
        checksum = Self.checksum(original, after: checksum)
        batch.append(line)
        if let recorded { batch.recorded.append(recorded) }
        batch.checksum = checksum
        openBytes += bytes
        lastDue = due
        open = batch
        if batch.count == limits.events || openBytes >= limits.bytes { close(full) }
    }

    /// Completes the open batch if an event that is due then could not be part of it.
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

/// When a batch is full.
package struct BatchLimits: Sendable, Equatable {
    /// Events at most.
    package var events: Int
    /// Bytes at most, line feeds included; a longer line goes alone.
    package var bytes: Int
    /// How long after the first event of a batch its last one may be due.
    package var linger: Duration

    package init(events: Int, bytes: Int, linger: Duration) {
        self.events = events
        self.bytes = bytes
        self.linger = linger
    }
}

/// How much a batch holds.
struct BatchSize: Hashable, Sendable {
    let events: Int
    /// By which it is full, line feeds and what its lines may still grow by included.
    let bytes: Int
}
