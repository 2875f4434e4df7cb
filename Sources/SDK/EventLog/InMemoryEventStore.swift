public import EventModel
internal import Primitives

/// The event log in memory, for tests: the same behaviour as the file's, gone with the process.
public final class InMemoryEventStore: EventStore {
    private struct Content {
        var records: [EventRecord] = []
        var ids: Set<EventID> = []
        var newest: EventRecord?
        var lastSeq: Int64 = 0
        var consumers: [String: ConsumerCursor] = [:]
        var ledger: [LedgerKey: LedgerEntry] = [:]
        var isClosed = false
        var bytes: Int64 { records.reduce(0) { $0 + Int64($1.line.count) } }
        var delivered: Int64? { consumers.values.map(\.acknowledged).min() }
    }

    private struct LedgerKey: Hashable {
        let reason: DropReason
        let consumer: String?
    }

    public let installID: String
    private let retention: Retention
    private let content = Locked(Content())

    /// Makes an empty log.
    ///
    /// - Parameters:
    ///   - installID: Its identity.
    ///   - retention: How much it keeps; everything, unless said otherwise.
    public init(installID: String, retention: Retention = .keepAll) {
        self.installID = installID
        self.retention = retention
    }

    public var newest: EventRecord? { content.withLock { $0.newest } }

    /// All events, oldest first.
    public var records: [EventRecord] { content.withLock { $0.records } }

    public var durability: Durability { .buffered }

    public func append(
        lineCapacity: Int, _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        content.withLock { content in
            guard !content.isClosed else { return .failure(EventDropped(.closed)) }
            guard let record = EventRecord(seq: content.lastSeq + 1, lineCapacity: lineCapacity, fill) else {
                return .failure(EventDropped(nil))
            }
            content.lastSeq = record.seq
            content.newest = record
            guard content.ids.insert(record.id).inserted else {
                Self.count(&content, .repeatedID, consumer: nil, count: 1, seqs: record.seq...record.seq)
                return .success(record.seq)
            }
            content.records.append(record)
            if let cap = retention.hardMaximumBytes {
                Self.prune(&content, Retention(hardMaximumBytes: cap), now: record.time)
            }
            return .success(record.seq)
        }
    }

    public func recordDrop(_ reason: DropReason) {
        content.withLock { Self.count(&$0, reason, consumer: nil, count: 1, seqs: nil) }
    }

    public func commit() async throws {}

    public func flushToDisk() async throws {}

    public func cursor(of consumer: String) async throws -> ConsumerCursor {
        content.withLock { content in
            let cursor = content.consumers[consumer] ?? ConsumerCursor(consumer: consumer)
            content.consumers[consumer] = cursor
            return cursor
        }
    }

    public func beginDelivery(to consumer: String) async throws -> ConsumerCursor? { try await cursor(of: consumer) }

    public func endDelivery(to consumer: String) async throws {}

    public func read(after seq: Int64, maximumCount: Int, maximumBytes: Int) async throws -> [EventRecord] {
        content.withLock { content in
            var size = 0
            var batch: [EventRecord] = []
            for record in content.records where record.seq > seq {
                size += record.line.count + 1
                if batch.count == maximumCount || (size > maximumBytes && !batch.isEmpty) { break }
                batch.append(record)
            }
            return batch
        }
    }

    public func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?) async throws {
        content.withLock { content in
            var moved = cursor
            moved.acknowledged = max(cursor.acknowledged, content.consumers[cursor.consumer]?.acknowledged ?? 0)
            content.consumers[cursor.consumer] = moved
            if let refused { Self.countStored(&content, .refused, consumer: cursor.consumer, seqs: refused) }
        }
    }

    public func rewind(_ consumer: String, to seq: Int64) async throws {
        content.withLock { content in
            guard let cursor = content.consumers[consumer] else { return }
            content.consumers[consumer] = ConsumerCursor(
                consumer: consumer, acknowledged: min(cursor.acknowledged, seq))
        }
    }

    public func discardUndelivered() async throws {
        content.withLock { content in
            let (delivered, last) = (content.delivered ?? 0, content.lastSeq)
            guard delivered < last else { return }
            Self.countStored(&content, .optedOut, consumer: nil, seqs: delivered + 1...last)
            content.ids.subtract(content.records.filter { $0.seq > delivered }.map(\.id))
            content.records.removeAll { $0.seq > delivered }
            for name in content.consumers.keys { content.consumers[name]?.acknowledged = last }
        }
    }

    public func prune(now: EventTime) async throws {
        content.withLock { Self.prune(&$0, retention, now: now) }
    }

    public func statistics() async throws -> EventLogStatistics {
        content.withLock { content in
            var statistics = EventLogStatistics()
            statistics.count = Int64(content.records.count)
            statistics.bytes = content.bytes
            statistics.firstSeq = content.records.first?.seq
            statistics.lastSeq = content.lastSeq
            return statistics
        }
    }

    public func ledger() async throws -> [LedgerEntry] {
        content.withLock { content in
            content.ledger.values.sorted {
                ($0.reason.rawValue, $0.consumer ?? "") < ($1.reason.rawValue, $1.consumer ?? "")
            }
        }
    }

    public func close() async throws {
        content.withLock { $0.isClosed = true }
    }

    // MARK: Rules, as in the file's SQL

    private static func prune(_ content: inout Content, _ retention: Retention, now: EventTime) {
        var wanted = 0
        if let age = retention.maximumAge {
            let cutoff = now.advanced(by: .zero - age)
            wanted = max(wanted, content.records.prefix { $0.time < cutoff }.count)
        }
        if let count = retention.maximumCount { wanted = max(wanted, content.records.count - Int(count)) }
        if let bytes = retention.maximumBytes { wanted = max(wanted, excess(content, over: bytes)) }
        wanted = min(wanted, content.records.prefix { $0.seq <= content.delivered ?? .max }.count)
        let forced = retention.hardMaximumBytes.map { excess(content, over: $0) } ?? 0
        let had = content.delivered ?? 0
        if forced > 0, content.records[forced - 1].seq > had {
            countStored(&content, .evicted, consumer: nil, seqs: had + 1...content.records[forced - 1].seq)
        }
        content.ids.subtract(content.records.prefix(max(wanted, forced)).map(\.id))
        content.records.removeFirst(max(wanted, forced))
    }

    private static func excess(_ content: Content, over bytes: Int64) -> Int {
        var rest = content.bytes - bytes
        return content.records.prefix { record in
            defer { rest -= Int64(record.line.count) }
            return rest > 0
        }.count
    }

    private static func countStored(
        _ content: inout Content, _ reason: DropReason, consumer: String?, seqs: ClosedRange<Int64>
    ) {
        let stored = content.records.map(\.seq).filter(seqs.contains)
        guard let first = stored.first, let last = stored.last else { return }
        count(&content, reason, consumer: consumer, count: Int64(stored.count), seqs: first...last)
    }

    private static func count(
        _ content: inout Content, _ reason: DropReason, consumer: String?, count: Int64, seqs: ClosedRange<Int64>?
    ) {
        let key = LedgerKey(reason: reason, consumer: consumer)
        let entry = content.ledger[key]
        let bounds = [entry?.seqs, seqs].compactMap { $0 }
        let merged: ClosedRange<Int64>? =
            if let low = bounds.map(\.lowerBound).min(), let high = bounds.map(\.upperBound).max() {
                low...high
            } else { nil }
        content.ledger[key] = LedgerEntry(
            reason: reason, consumer: consumer, count: (entry?.count ?? 0) + count, seqs: merged)
    }
}
