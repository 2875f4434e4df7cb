internal import Primitives
internal import StreamClient

/// Loads one partition.
final class PartitionLoader {
    let partition: Int
    private let stream: JetStream
    private let state: PartitionState
    private let stores: [any WarehouseStore]
    private let options: Loader.Options
    private let metrics: LoaderMetrics
    private var pause = RetryPause()
    private var nextSettlement = ContinuousClock.now
    private var nextNote = ContinuousClock.now

    /// Messages that were read and are in no block yet.
    private var waiting: [Waiting] = []
    private var waitingSince: ContinuousClock.Instant?
    /// The number of messages that wait for more messages of their block.
    var waitingCount: Int { waiting.count }
    /// Whether the stores may have rows of the next block.
    private var isInDoubt = true
    /// The stream's last sequence when everything was read; the partition is read again if it changes, or at `end`: the
    /// replica that answered may have been behind.
    private var exhausted: (last: Int64, end: ContinuousClock.Instant)?

    private struct Waiting {
        var sequence: Int64
        var message: StreamMessage
        var digest: UInt64
        var bytes: Int

        var rows: Int { Int(message.lineCount) }
    }

    enum Step {
        /// Messages were read, or a block was written.
        case progress
        /// Messages wait for more messages of their block, or for a server.
        case waiting
        case idle
    }

    init(
        _ stream: JetStream, state: PartitionState, partition: Int, stores: [any WarehouseStore],
        options: Loader.Options, metrics: LoaderMetrics
    ) {
        self.stream = stream
        self.state = state
        self.partition = partition
        self.stores = stores
        self.options = options
        self.metrics = metrics
    }

    /// Reads once, and writes a block if it is full or old enough.
    ///
    /// - Parameter streamLast: The stream's last sequence, a moment ago; nil if it is unknown.
    /// - Throws: `StreamError`, `LoaderError`: those that need a person.
    func step(streamLast: Int64?) throws -> Step {
        guard pause.isOver else { return .waiting }
        defer { metrics.waiting(partition, since: waiting.first?.message.receivedAt) }
        do {
            let step = try attempt(isFinal: options.runsOnce, streamLast: streamLast)
            pause.succeeded()
            return step
        } catch let error as StreamError where error.code == .unavailable {
            isInDoubt = true
            throw error
        } catch let error as LoaderError
            where [.unavailable, .rejected, .otherRows, .cannotOpen].contains(error.code)
        {
            // The stream keeps the events; the operator of the store can correct it meanwhile.
            retry(error.message)
        }
        return .waiting
    }

    /// Loads everything that the stream has.
    ///
    /// - Throws: `StreamError`, `LoaderError`.
    func loadAll() throws {
        let last = try stream.state(of: StreamNames.events).last
        while true {
            let step = try attempt(isFinal: true)
            // A replica may be behind: the position must be that of the stream's last message of the partition.
            if case .idle = step, try isLoaded(through: last) { return }
        }
    }

    /// Whether the leader has no later message of the partition.
    private func isLoaded(through last: Int64) throws -> Bool {
        let position = state.position
        guard position.through < last else { return true }
        return try stream.lastSequence(of: StreamNames.events, subject: StreamNames.events(partition))
            <= position.through
    }

    private func retry(_ message: String) {
        isInDoubt = true
        let wait = pause.failed()
        metrics.failed()
        LoaderLog.write(.warning, message, metadata: ["partition": "\(partition)", "retry_in": "\(wait)"])
    }

    private func attempt(isFinal: Bool, streamLast: Int64? = nil) throws -> Step {
        try publishVerdicts()
        var isExhausted = false
        if let exhausted, exhausted.last == streamLast, .now < exhausted.end { isExhausted = true }
        if isExhausted, waiting.isEmpty { return .idle }
        let position = state.position
        if !isExhausted {
            isExhausted = try read(after: position)
            exhausted = isExhausted ? streamLast.map { ($0, .now.advanced(by: .seconds(2))) } : nil
        }
        guard let oldest = waitingSince, !waiting.isEmpty else { return .idle }
        // Another loader, or this one before a crash, may have cut the block already.
        if isInDoubt, let (cut, sequence) = try nextCut(after: position) {
            try write(cut, sequence)
            return .progress
        }
        let isOld = ContinuousClock.now - oldest >= options.blockAge
        guard isFull || isOld || isFinal && isExhausted else { return isExhausted ? .waiting : .progress }
        let (cut, sequence) = try makeCut(after: position)
        try write(cut, sequence)
        return .progress
    }

    /// Checks that the stream has not removed messages, because of a limit or a purge, before they were loaded.
    ///
    /// - Parameter first: The stream's first sequence.
    /// - Throws: `StreamError`; `LoaderError`, `missing-messages`.
    func check(first: Int64) throws {
        let position = state.position
        if position.block == 0, position.seen == 0, first > 1 {
            LoaderLog.write(
                .notice, "the stream begins with message \(first); earlier messages are not loaded",
                metadata: ["partition": "\(partition)"])
            return try state.note(seen: first - 1)
        }
        guard max(position.through, position.seen) < first - 1 else {
            return try noteSeen(position)
        }
        // The messages in between may have been of other partitions.
        throw LoaderError(
            .missingMessages,
            """
            the stream has removed messages up to \(first - 1), and partition \(partition) is loaded up to \
            \(max(position.through, position.seen)): a limit of the stream is too small, or it was purged; restore the \
            stream, or load what the collectors still have into a new stream
            """)
    }

    /// Notes up to which sequence the stream has no message of this partition that is not loaded.
    private func noteSeen(_ position: PartitionState.Position) throws {
        guard waiting.isEmpty, ContinuousClock.now >= nextNote else { return }
        nextNote = .now.advanced(by: .seconds(60))
        // In this order: a message that arrives in between has a higher sequence.
        let last = try stream.state(of: StreamNames.events).last
        let own = try stream.lastSequence(of: StreamNames.events, subject: StreamNames.events(partition))
        if own <= position.through, last > position.seen { try state.note(seen: last) }
    }

    /// Publishes verdicts about installs, which the collectors apply.
    private func publishVerdicts() throws {
        let now = ContinuousClock.now
        if now >= nextSettlement {
            try state.settleOldGaps()
            nextSettlement = now.advanced(by: .seconds(5))
        }
        let verdicts = try state.unpublishedVerdicts()
        guard !verdicts.isEmpty else { return }
        _ = try stream.publish(verdicts.map { .init($0.verdict.subject(partition: partition), $0.verdict.payload) })
        try state.published(verdicts)
    }

    private var isFull: Bool {
        blockLength < waiting.count || size.rows >= options.blockRows || size.bytes >= options.blockBytes
    }

    private var size: (rows: Int, bytes: Int) {
        waiting.reduce(into: (0, 0)) { $0 = ($0.0 + $1.rows, $0.1 + $1.bytes) }
    }

    /// The number of waiting messages in the next block: as many as its limits allow, at least one.
    private var blockLength: Int {
        var rows = 0
        var bytes = 0
        for (index, next) in waiting.enumerated() {
            rows += next.rows
            bytes += next.bytes
            if index > 0, rows > options.blockRows || bytes > options.blockBytes { return index }
        }
        return waiting.count
    }

    /// Reads more messages, unless enough for a block are waiting.
    ///
    /// - Returns: Whether the stream has no more at the moment.
    private func read(after position: PartitionState.Position) throws -> Bool {
        guard !isFull else { return false }
        let (found, hasMore) = try stream.messages(
            of: StreamNames.events, subject: StreamNames.events(partition),
            after: waiting.last?.sequence ?? max(position.through, position.seen), limit: 512, bytes: 4 << 20)
        for next in found { try add(next) }
        return !hasMore
    }

    private func add(_ next: JetStream.Stored) throws {
        let message: StreamMessage
        do throws(StreamMessageError) { message = try StreamMessage(payload: next.data) } catch {
            throw StreamError(
                .invalidMessage,
                "message \(next.sequence) of \(StreamNames.events) cannot be read: \(error); update the loader, or find out what published it"
            )
        }
        if waitingSince == nil { waitingSince = .now }
        waiting.append(
            Waiting(
                sequence: next.sequence, message: message,
                digest: next.data.withUnsafeBytes(LineDigest.summand(of:)),
                bytes: next.data.count))
    }

    /// The cut after a position, if it exists.
    private func nextCut(after position: PartitionState.Position) throws -> (cut: BlockCut, sequence: Int64)? {
        let (found, _) = try stream.messages(
            of: StreamNames.cuts, subject: StreamNames.cuts(partition), after: position.cut, limit: 1)
        guard let next = found.first else { return nil }
        let cut: BlockCut
        do throws(StreamMessageError) { cut = try BlockCut(payload: next.data) } catch {
            throw StreamError(
                .invalidMessage,
                "message \(next.sequence) of \(StreamNames.cuts) cannot be read: \(error); update the loader")
        }
        guard cut.partition == partition, cut.number == position.block + 1, cut.after == position.through else {
            throw LoaderError(
                .missingMessages,
                """
                \(state.path) is at block \(position.block), but the stream's next cut is block \(cut.number); use the \
                state that wrote the last blocks
                """)
        }
        return (cut, next.sequence)
    }

    /// Cuts the waiting messages. If another loader was faster, its cut counts.
    private func makeCut(after position: PartitionState.Position) throws -> (cut: BlockCut, sequence: Int64) {
        let messages = waiting.prefix(blockLength)
        let cut = BlockCut(
            partition: partition, number: position.block + 1, after: position.through,
            through: messages.last?.sequence ?? 0, messages: Int64(messages.count),
            digest: messages.reduce(0) { $0 &+ $1.digest })
        // If the acknowledgement is lost, the cut may exist.
        isInDoubt = true
        let answers = try stream.publish([
            .init(StreamNames.cuts(partition), cut.payload, expectedLast: position.cut)
        ])
        switch answers.first {
        case .stored(let sequence):
            isInDoubt = false
            return (cut, sequence)
        default:
            guard let other = try nextCut(after: position) else {
                throw StreamError(
                    .unavailable, "\(stream.address): the next cut of partition \(partition) is not readable yet")
            }
            return other
        }
    }

    /// All records of messages that were removed with erased users, each sequence once.
    private func erasedMessages() throws -> [ErasedMessage] {
        var found: [Int64: ErasedMessage] = [:]
        var sequence: Int64 = 0
        while true {
            let (records, hasMore) = try stream.messages(
                of: StreamNames.cuts, subject: StreamNames.erased(partition), after: sequence)
            for record in records {
                // An unreadable record is skipped: the comparison with the cut fails and reports the missing message.
                guard let erased = try? ErasedMessage(payload: record.data) else { continue }
                found[erased.sequence] = erased
            }
            sequence = records.last?.sequence ?? sequence
            if !hasMore { return Array(found.values) }
        }
    }

    private func write(_ cut: BlockCut, _ sequence: Int64) throws {
        var erased: [ErasedMessage] = []
        // A cut of another loader may be longer than what is waiting.
        while (waiting.last?.sequence ?? cut.after) < cut.through {
            let (found, _) = try stream.messages(
                of: StreamNames.events, subject: StreamNames.events(partition),
                after: waiting.last?.sequence ?? cut.after, limit: 512, bytes: 4 << 20)
            guard !found.isEmpty else {
                erased = try erasedMessages()
                if erased.contains(where: { $0.sequence == cut.through }) { break }
                throw StreamError(
                    .unavailable,
                    "\(stream.address): message \(cut.through) of partition \(partition) is not readable yet")
            }
            for next in found { try add(next) }
        }
        let messages = waiting.prefix { $0.sequence <= cut.through }
        if messages.count < cut.messages { erased = try erasedMessages() }
        let gone = erased.filter { $0.sequence > cut.after && $0.sequence <= cut.through }
        guard Int64(messages.count + gone.count) == cut.messages,
            messages.reduce(0, { $0 &+ $1.digest }) &+ gone.reduce(0, { $0 &+ $1.digest }) == cut.digest
        else {
            throw LoaderError(
                .missingMessages,
                """
                block \(cut.id) has \(cut.messages) messages, but the stream has \(messages.count) of them, or others, \
                between \(cut.after + 1) and \(cut.through); restore the stream
                """)
        }
        let start = ContinuousClock.now
        let stores = self.stores
        let isInDoubt = self.isInDoubt
        let block = try state.add(cut, cutSequence: sequence, messages.map(\.message)) { block in
            for store in stores { try store.write(block, isInDoubt: isInDoubt) }
            return block
        }
        waiting.removeFirst(messages.count)
        waitingSince = waiting.isEmpty ? nil : .now
        self.isInDoubt = false
        metrics.wrote(block, in: ContinuousClock.now - start)
    }
}

/// When a partition that failed tries again: after 0.25 s, then twice as long each time, up to 15 s, with jitter.
struct RetryPause {
    private var failures = 0
    private var next: ContinuousClock.Instant?

    var isOver: Bool { next.map { ContinuousClock.now >= $0 } ?? true }

    mutating func succeeded() {
        failures = 0
        next = nil
    }

    mutating func failed() -> Duration {
        failures = min(failures + 1, 10)
        let longest = min(15.0, 0.25 * Double(1 << (failures - 1)))
        let wait = Duration.milliseconds(Int64(Double.random(in: 0.5...1) * longest * 1000))
        next = .now.advanced(by: wait)
        return wait
    }
}
