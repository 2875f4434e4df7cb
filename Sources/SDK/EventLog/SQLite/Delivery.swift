internal import EventModel
internal import Foundation
import GRDB
internal import Primitives

/// Seals batches, and settles them with the consumer's answer.
///
/// The state of a delivery is in the consumer's row, and changes in one transaction with its cursor.
enum Delivery {
    /// The rules that decide which events may be delivered now.
    struct Rules {
        /// Whether the user of a line has agreed to its purpose; nil if all users have to all.
        let mayDeliver: ((UnsafeRawBufferPointer, Purpose) -> Bool)?
        /// Changes with each consent.
        let generation: UInt64

        init(_ rules: ConsentRules, generation: UInt64) {
            mayDeliver = rules.isUnrestricted ? nil : { rules.rule(of: $0, for: $1).mayDeliver }
            self.generation = generation
        }
    }

    /// The batch to deliver next: the last sealed batch if it was not settled, otherwise a new batch.
    ///
    /// - Parameter end: The last number that is safely stored.
    /// - Returns: nil if there is nothing to deliver, or the lease was taken over.
    static func next(
        _ lease: DeliveryLease, holder: Consumers.Holder, through end: Int64, rules: Rules, _ db: Database
    ) throws -> EventBatch? {
        var cursor = try Consumers.cursor(lease.consumer, db)
        var state = try Consumers.state(of: lease.consumer, db)
        guard state.token == lease.token else { return nil }
        state.lease = holder.lease
        // A power failure may have set the cursor back.
        if cursor.acknowledged > 0 { state.covered = min(state.covered, cursor.acknowledged) }
        let logs = try Generations.all(db)
        var records = try state.batch.flatMap { batch in
            try reread(batch, of: cursor.consumer, in: logs, rules: rules, db)
        }
        if records == nil {
            state.void()
            records = try sealLate(&state, cursor: cursor, in: logs, rules: rules, db)
            // Skips held events, the rest of a split batch, and the end of an install.
            while records == nil, cursor.acknowledged < end {
                records = try seal(&state, cursor: &cursor, through: end, in: logs, rules: rules, db)
            }
        }
        state.batch?.attempts += 1
        let log = Generations.one(of: logs, with: state.batch?.first ?? end)
        if state.ledgerGeneration != log.number {
            state.ledgerSeen = nil
            state.ledgerGeneration = log.number
        }
        let news =
            state.batch == nil
            ? nil
            : try Ledger.news(
                for: cursor.consumer, of: log, after: state.ledgerSeen ?? -1, limit: EventBatch.maximumLedgerRows, db)
        state.batch?.ledgerThrough = news?.through
        try Consumers.store(cursor, state: state, db)
        guard let batch = state.batch, let records else { return nil }
        let token = state.series.map { LeaseToken(series: $0, number: state.token) }
        return EventBatch(
            batch, records: records, checkpoint: cursor.checkpoint, token: token, of: log, ledger: news?.rows ?? [])
    }

    /// The events of a sealed batch; nil if they have changed.
    private static func reread(
        _ batch: SealedBatch, of consumer: String, in logs: [LogGeneration], rules: Rules, _ db: Database
    ) throws -> [EventRecord]? {
        guard batch.first <= batch.last else { return nil }
        let missing = batch.missing.map(\.seqs)
        let log = Generations.one(of: logs, with: batch.first)
        let records = try Copies.records(in: batch.first...batch.last, of: consumer, log, db)
            .filter { !NumberRanges.contains(missing, $0.seq) }
        guard records.count == batch.count, SealedBatch.checksum(of: records) == batch.checksum else { return nil }
        if let mayDeliver = rules.mayDeliver {
            let mayDeliverAll = records.allSatisfy { record in
                record.line.withUnsafeBytes { mayDeliver($0, record.purpose) }
            }
            guard mayDeliverAll else { return nil }
        }
        return records
    }

    /// Collects events for a batch, up to its limits.
    private struct Collection {
        var records: [EventRecord] = []
        var held: [Int64] = []
        var bytes = 0
        let limit: Int
        let maximumBytes: Int
        /// Whether an event did not fit.
        var isFull = false

        init(_ state: DeliveryState, isLate: Bool) {
            let split = state.split.flatMap { $0.isLate == isLate ? $0 : nil }
            limit = split.map { max(1, min($0.count, EventBatch.maximumCount)) } ?? EventBatch.maximumCount
            maximumBytes = min(EventBatch.maximumBytes, state.size?.bytes ?? .max)
        }

        mutating func add(
            _ seqs: ClosedRange<Int64>, of consumer: String, in log: LogGeneration, rules: Rules, _ db: Database
        ) throws {
            let rows = try Row.fetchCursor(
                try db.cachedStatement(sql: Copies.query(log)), arguments: [seqs.lowerBound, seqs.upperBound, consumer])
            while !isFull, let row = try rows.next() {
                if let mayDeliver = rules.mayDeliver {
                    let purpose = Purpose(column: try row.decode(atIndex: 5))
                    let isHeld = try row.withUnsafeData(atIndex: 4) { line in
                        line?.withUnsafeBytes { !mayDeliver($0, purpose) } ?? false
                    }
                    if isHeld {
                        held.append(try row.decode(atIndex: 0))
                        continue
                    }
                }
                let record = try EventRow.record(row)
                let size = record.line.count + 1
                if records.count == limit || (!records.isEmpty && bytes + size > maximumBytes) {
                    isFull = true
                } else {
                    records.append(record)
                    bytes += size
                }
            }
        }
    }

    /// Seals events that are older than the cursor: their users have agreed since, or they are to be retried.
    private static func sealLate(
        _ state: inout DeliveryState, cursor: ConsumerCursor, in logs: [LogGeneration], rules: Rules, _ db: Database
    ) throws -> [EventRecord]? {
        let kept = try Consumers.kept(cursor.consumer, db)
        let looksAtHeld = state.consentGeneration != rules.generation
        guard !kept.retried.isEmpty || (looksAtHeld && !kept.held.isEmpty) else { return nil }
        var candidates = NumberRanges.union(kept.retried + (looksAtHeld ? kept.held : []))
        if let split = state.split, split.isLate {
            candidates = NumberRanges.common(candidates, [.min...split.through])
        }
        var collection = Collection(state, isLate: true)
        // All events of a batch belong to one install.
        for log in logs where collection.records.isEmpty {
            for range in NumberRanges.common(candidates, [log.numbers]) where !collection.isFull {
                try collection.add(range, of: cursor.consumer, in: log, rules: rules, db)
            }
        }
        guard let first = collection.records.first?.seq, let last = collection.records.last?.seq else {
            state.split = state.split.flatMap { $0.isLate ? nil : $0 }
            if looksAtHeld { state.consentGeneration = rules.generation }
            // Events that still exist wait for their user's consent; the others were removed meanwhile.
            let untouched = looksAtHeld ? [] : kept.held
            try Consumers.setKept(
                NumberRanges.union(untouched + NumberRanges.ranges(of: collection.held)), retried: [],
                of: cursor.consumer, db)
            return nil
        }
        let held = NumberRanges.union(kept.held + kept.retried)
        state.batch = SealedBatch(
            id: SealedBatch.newID(), first: first, last: last,
            missing: try missing(
                in: first...last, carried: collection.records, held: held, delivered: cursor.acknowledged,
                cursor.consumer, db),
            count: collection.records.count, checksum: SealedBatch.checksum(of: collection.records), isLate: true)
        shorten(&state, &collection)
        return collection.records
    }

    /// Seals events after the cursor, and skips numbers that have nothing to deliver.
    private static func seal(
        _ state: inout DeliveryState, cursor: inout ConsumerCursor, through end: Int64, in logs: [LogGeneration],
        rules: Rules, _ db: Database
    ) throws -> [EventRecord]? {
        if let split = state.split, !split.isLate, split.through <= cursor.acknowledged { state.split = nil }
        let start = max(cursor.acknowledged, 0) + 1
        var end = end
        if let split = state.split, !split.isLate { end = min(end, split.through) }
        guard start <= end else { return nil }
        // All events of a batch belong to one install.
        let log = Generations.one(of: logs, with: start)
        end = min(end, log.numbers.upperBound)
        var collection = Collection(state, isLate: false)
        try collection.add(start...end, of: cursor.consumer, in: log, rules: rules, db)
        guard let last = collection.records.last?.seq else {
            try hold(NumberRanges.ranges(of: collection.held), of: cursor.consumer, db)
            cursor.acknowledged = end
            return nil
        }
        let through = collection.isFull ? last : end
        let first = max(min(state.covered + 1, collection.records[0].seq), log.numbers.lowerBound)
        let held = NumberRanges.ranges(of: collection.held.filter { $0 <= through })
        let kept = try Consumers.kept(cursor.consumer, db)
        state.batch = SealedBatch(
            id: SealedBatch.newID(), first: first, last: through,
            missing: try missing(
                in: first...through, carried: collection.records,
                held: NumberRanges.union(held + kept.held + kept.retried), delivered: cursor.acknowledged,
                cursor.consumer, db),
            count: collection.records.count, checksum: SealedBatch.checksum(of: collection.records), isLate: false)
        shorten(&state, &collection)
        return collection.records
    }

    private static func shorten(_ state: inout DeliveryState, _ collection: inout Collection) {
        state.batch?.shorten(&collection.records)
        state.batch?.bytes = collection.records.reduce(0) { $0 + $1.line.count + 1 }
    }

    private static func hold(_ ranges: [ClosedRange<Int64>], of consumer: String, _ db: Database) throws {
        guard !ranges.isEmpty else { return }
        let kept = try Consumers.kept(consumer, db)
        try Consumers.setKept(NumberRanges.union(kept.held + ranges), retried: kept.retried, of: consumer, db)
    }

    /// The reasons why a batch has no events for some of its numbers.
    private static func missing(
        in seqs: ClosedRange<Int64>, carried: [EventRecord], held: [ClosedRange<Int64>], delivered: Int64,
        _ consumer: String, _ db: Database
    ) throws -> [MissingNumbers] {
        var rest = NumberRanges.difference([seqs], NumberRanges.ranges(of: carried.map(\.seq)))
        guard !rest.isEmpty else { return [] }
        var reasons: [MissingNumbers.Reason: [ClosedRange<Int64>]] = [:]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT reason, first_seq, last_seq FROM ledger
                WHERE first_seq > 0 AND first_seq <= ? AND last_seq BETWEEN max(first_seq, ?) AND ? AND consumer IN ('', ?)
                """, arguments: [seqs.upperBound, seqs.lowerBound, EventRecord.highestSeq, consumer])
        while let row = try rows.next() {
            let range = try row.decode(Int64.self, atIndex: 1)...row.decode(Int64.self, atIndex: 2)
            let reason = MissingNumbers.Reason(DropReason(rawValue: try row.decode(atIndex: 0)))
            reasons[reason, default: []].append(range)
        }
        reasons[.held] = held
        reasons[.deliveredEarlier] = delivered > 0 ? [1...delivered] : []
        let order: [MissingNumbers.Reason] = [
            .erased, .optedOut, .held, .refused, .dropped, .forked, .deliveredEarlier,
        ]
        var missing: [MissingNumbers] = []
        for (ranges, reason) in order.map({ (reasons[$0] ?? [], $0) }) + [([seqs], .dropped)] {
            let ranges = NumberRanges.union(ranges)
            missing += NumberRanges.common(rest, ranges).map { MissingNumbers($0, reason) }
            rest = NumberRanges.difference(rest, ranges)
        }
        return missing.sorted { $0.first < $1.first }
    }

    // MARK: Answers

    /// Stores a consumer's answer to a batch.
    ///
    /// - Parameters:
    ///   - result: The answer, with the install's own numbers.
    ///   - pause: The pause before the next attempt, if the answer requires one.
    ///   - letters: How many dead letters to keep.
    ///   - dependencies: What a move to another install needs.
    /// - Returns: nil, without a change, if the lease was taken over, or the batch was given up.
    /// - Throws: ``Forks/Unsettled``; errors of the database.
    static func settle(
        _ lease: DeliveryLease, batch id: String, result: DeliveryResult, pause: DeliveryPause?,
        letters: DeadLetterLimits, dependencies: Forks.Dependencies, _ db: Database
    ) throws -> SettledBatch? {
        var cursor = try Consumers.cursor(lease.consumer, db)
        var state = try Consumers.state(of: lease.consumer, db)
        guard state.token == lease.token, let batch = state.batch, batch.id == id else { return nil }
        let carried = NumberRanges.difference([batch.first...batch.last], batch.missing.map(\.seqs))
        guard let lastCarried = carried.last?.upperBound else { return nil }
        let log = Generations.one(of: try Generations.all(db), with: batch.first)
        var refused: [Int64: DeadLetters.Refusal] = [:]
        // Before the copies are removed. Uses the app's clock, which has set the pause.
        func keepRefused() throws {
            try DeadLetters.add(
                refused, of: cursor.consumer, in: log, attempts: batch.attempts,
                at: pause.map { EventTime(microseconds: $0.setAt) }, within: letters, db)
        }
        switch result {
        case .retry:
            state.failures += 1
            state.pause = pause
            state.halt = nil
        case .timedOut(let share, _):
            state.failures += 1
            state.pause = pause
            state.halt = nil
            let arrived = Int(Double(batch.bytes ?? EventBatch.maximumBytes) * (share ?? 1))
            state.size = DeliveryState.LearnedSize(bytes: max(1, arrived / 2), successes: 0)
            // Its events are sealed again in smaller batches.
            if batch.count > 1 { state.batch = nil }
        case .halt(let reason):
            state.failures += 1
            state.halt = reason
            state.halts = (state.halts ?? 0) + 1
            state.pause = pause
            // The next try is a single event.
            state.batch = nil
            state.split = DeliveryState.Split(through: lastCarried, count: 1, isLate: batch.isLate)
        case .newGeneration(let acknowledged, _):
            let known = acknowledged.map { log.base + clamped($0.lowerBound)...log.base + clamped($0.upperBound) }
            try Forks.leave(
                log, acknowledged: NumberRanges.common(carried, NumberRanges.union(known)), state: &state,
                cursor: &cursor,
                dependencies: dependencies, db)
            state.failures += 1
            state.halt = nil
            state.halts = nil
            state.pause = state.failures > 1 ? pause : nil
        case .void:
            state.failures += 1
            // Prevents a tight loop with a server that rejects every batch as void.
            state.pause = state.failures > 1 ? pause : nil
            state.void()
        case .rejected where batch.count > 1:
            // The batch is unusable; its events are sealed again in parts.
            state.batch = nil
            state.split = DeliveryState.Split(through: lastCarried, count: batch.count / 2, isLate: batch.isLate)
        case .rejected(let reason):
            refused = [lastCarried: DeadLetters.Refusal(reason: reason, location: nil)]
            try keepRefused()
            try accept(
                batch, carried: carried, through: lastCarried, verdicts: [lastCarried: .refused(reason: "")],
                state: &state, cursor: &cursor, db)
            // The other events were rejected only because of this one.
            state.split = nil
        case .delivered(let through, let checkpoint):
            cursor.checkpoint = checkpoint
            let through = min(log.base + clamped(through), lastCarried)
            try accept(batch, carried: carried, through: through, verdicts: [:], state: &state, cursor: &cursor, db)
            try continueHalving(&state, after: through, of: cursor.consumer, in: log, db)
        case .judged(let verdicts, let checkpoint):
            let verdicts = Dictionary(
                verdicts.map { (log.base + clamped($0.key), $0.value) }, uniquingKeysWith: { first, _ in first }
            ).filter { NumberRanges.contains(carried, $0.key) }
            cursor.checkpoint = checkpoint
            for (seq, verdict) in verdicts {
                guard case .refused(let reason, let location) = verdict else { continue }
                refused[seq] = DeadLetters.Refusal(reason: reason, location: location)
            }
            try keepRefused()
            try accept(
                batch, carried: carried, through: lastCarried, verdicts: verdicts, state: &state, cursor: &cursor, db)
            if verdicts.count > refused.count {
                state.failures += 1
                state.pause = pause
            }
            state.split = nil
        }
        let numbers = refused.keys.sorted()
        for seq in numbers { try Ledger.add(.refused, consumer: cursor.consumer, count: 1, seqs: seq...seq, db) }
        try Consumers.store(cursor, state: state, db)
        return SettledBatch(cursor: cursor, failures: state.failures, refused: numbers.map { $0 - log.base })
    }

    /// Clamps a number from a sink; numbers outside the range of events are in no batch.
    private static func clamped(_ seq: Int64) -> Int64 { max(0, min(seq, EventRecord.highestSeq)) }

    /// Moves the cursor over a batch, up to a number, and keeps the events to be retried.
    private static func accept(
        _ batch: SealedBatch, carried: [ClosedRange<Int64>], through: Int64, verdicts: [Int64: EventVerdict],
        state: inout DeliveryState, cursor: inout ConsumerCursor, _ db: Database
    ) throws {
        let retried = NumberRanges.ranges(
            of: verdicts.filter { if case .retry = $0.value { true } else { false } }.keys.sorted())
        let kept = try Consumers.kept(cursor.consumer, db)
        if batch.isLate {
            let done = NumberRanges.difference(NumberRanges.common(carried, [.min...through]), retried)
            try Consumers.setKept(
                NumberRanges.difference(kept.held, NumberRanges.union(done + retried)),
                retried: NumberRanges.difference(NumberRanges.union(kept.retried + retried), done), of: cursor.consumer,
                db)
        } else {
            let isWhole = through >= carried[carried.count - 1].upperBound
            let reached = isWhole ? batch.last : through
            let held = batch.missing.filter { $0.reason == .held && $0.last > cursor.acknowledged }.map(\.seqs)
            try Consumers.setKept(
                NumberRanges.difference(
                    NumberRanges.union(kept.held + NumberRanges.common(held, [.min...reached])), kept.retried),
                retried: NumberRanges.union(kept.retried + retried), of: cursor.consumer, db)
            cursor.acknowledged = max(cursor.acknowledged, reached)
            state.covered = max(state.covered, reached)
        }
        if try Generations.newest(db).number > 1 {
            try Copies.remove(
                NumberRanges.difference(NumberRanges.common(carried, [.min...through]), retried), of: cursor.consumer,
                db)
        }
        state.ledgerSeen = max(state.ledgerSeen ?? -1, batch.ledgerThrough ?? -1)
        state.batch = nil
        state.failures = 0
        state.pause = nil
        state.halt = nil
        state.halts = nil
        state.size = state.size?.afterDelivery(of: batch.bytes ?? 0)
    }

    /// Continues halving after a part of a rejected batch was accepted: the invalid event is in the rest.
    private static func continueHalving(
        _ state: inout DeliveryState, after seq: Int64, of consumer: String, in log: LogGeneration, _ db: Database
    ) throws {
        guard var split = state.split else { return }
        let rest =
            seq < split.through
            ? Int(try Copies.count(in: seq + 1...split.through, of: consumer, log, db)) : 0
        split.count = (rest + 1) / 2
        state.split = rest > 0 ? split : nil
    }
}
