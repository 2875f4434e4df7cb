/// An event of another log, or of an earlier life of this one, on its way in.
public struct RecordedEvent: Sendable {
    /// What its line says; `record.seq` is the number it had.
    public let record: EventRecord
    /// The install that sent it.
    public let installID: String
    /// Writes its line for another log, under that log's install and number, with its origin recorded.
    public let relabelled: @Sendable (_ installID: String, _ seq: Int64) -> [UInt8]

    /// Makes a recorded event.
    public init(
        record: EventRecord, installID: String,
        relabelled: @escaping @Sendable (_ installID: String, _ seq: Int64) -> [UInt8]
    ) {
        self.record = record
        self.installID = installID
        self.relabelled = relabelled
    }
}

/// What became of replayed events.
public struct ReplayResult: Hashable, Sendable {
    /// Stored with their own bytes.
    public var kept = 0
    /// Stored under a new number.
    public var renumbered = 0
    /// Skipped: the log had their ids.
    public var known = 0

    /// Makes an empty result.
    public init() {}

    /// Adds the counts of a further batch.
    public static func += (left: inout Self, right: Self) {
        left.kept += right.kept
        left.renumbered += right.renumbered
        left.known += right.known
    }
}
