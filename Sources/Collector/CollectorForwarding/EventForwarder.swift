package import CollectorStore
internal import DeliveryProtocol
internal import Foundation
internal import Primitives
package import StreamClient

/// Publishes what a store accepts to JetStream, in the order of the receipts.
///
/// A consumer of the store with a position: it moves on only after a majority of the stream's replicas has acknowledged
/// the batches, and until then retention keeps them. After a crash, batches may be published again; the stream ignores
/// those of the last two minutes by their id, and loaders ignore all others by number and hash.
///
/// Thread-safe.
package final class EventForwarder: Sendable {
    package struct Options: Sendable {
        /// The servers, and how to connect.
        package var stream: JetStream.Options
        /// The number of partitions of a stream that is created.
        package var partitions = 16
        /// The number of replicas of a stream that is created.
        package var replicas = 3
        /// The largest group of batches that are published together, in bytes of lines.
        package var groupBytes = 8 << 20
        /// The most batches of a group.
        package var groupBatches = 256

        package init(stream: JetStream.Options) { self.stream = stream }
    }

    /// How far the forwarder is.
    package struct Progress: Equatable, Sendable {
        /// Batches up to this receipt are in the stream.
        package var receipt: Int64 = 0
        /// Events and messages that were published since the start.
        package var events: Int64 = 0
        package var messages: Int64 = 0
        /// Attempts that failed since the start.
        package var failures: Int64 = 0
        /// Why the last attempt failed; nil if it succeeded.
        package var problem: String?
        /// The largest payload of the stream, in bytes; nil before the first connection.
        package var maximumPayload: Int?
    }

    /// Runs a closure on a thread that may block.
    package typealias Blocking = @Sendable (@escaping @Sendable () -> Void) async -> Void

    private let store: BatchStore
    private let options: Options
    private let position: ForwardingPosition
    private let aside: SetAsideMessages
    private let blocking: Blocking
    private let report: @Sendable (String) -> Void
    private let progressNow: Locked<Progress>
    /// Announces each change of the progress.
    package let changes = ChangeSignal()
    /// Used by one call at a time.
    private let connection = Locked<Connection?>(nil)

    private struct Connection: @unchecked Sendable {  // the lock passes it from thread to thread
        let stream: JetStream
        let partitions: Int
        /// Whether the stream must be looked at before the next publication: after an error it may be another one.
        var isInDoubt = false
    }

    /// Reads the position. Does not connect yet.
    ///
    /// - Parameters:
    ///   - path: The file with the position.
    ///   - report: Receives the first of consecutive errors, with advice.
    /// - Throws: `StoreError` with `cannotOpen` or `indexFailed`.
    package init(
        _ store: BatchStore, path: String, _ options: Options, blocking: @escaping Blocking,
        report: @escaping @Sendable (String) -> Void
    ) throws(StoreError) {
        self.store = store
        self.options = options
        self.blocking = blocking
        self.report = report
        position = ForwardingPosition(path: path, collector: "\(store.collectorID)")
        aside = SetAsideMessages(forwardingPath: path)
        progressNow = Locked(Progress())
        let read = try position.read()
        let last = try store.lastReceipt()
        // A store that was restored from a backup gives the receipts after it once more.
        if let read, read.receipt <= last { progressNow.withLock { $0.receipt = read.receipt } }
    }

    package var progress: Progress { progressNow.withLock { $0 } }

    /// Forwards until the task is cancelled or the store is closed. Errors are reported, and retried with back-off: the
    /// store keeps the batches.
    package func run() async {
        var seen: UInt64 = 0
        var failures = 0
        while !Task.isCancelled {
            let isLast = store.changes.isClosed
            let isDone = Locked(false)
            await blocking {
                let result = self.forward()
                isDone.withLock { $0 = result }
            }
            if isDone.withLock({ $0 }) {
                failures = 0
                if isLast { return }
                seen = await store.changes.next(after: seen)
            } else {
                if isLast { return }
                failures = min(failures + 1, 8)
                let longest = min(10_000, 125 << failures)
                let pause = Duration.milliseconds(Int.random(in: longest / 2...longest))
                guard await ContinuousClock().sleepUnlessCancelled(for: pause) else { return }
            }
        }
    }

    /// Forwards everything that is stored.
    ///
    /// - Returns: Whether all of it is in the stream.
    private func forward() -> Bool {
        do {
            try connection.withLock { connection in
                do {
                    if let open = connection, open.isInDoubt { connection = try check(open.stream) }
                    let open = try connection ?? check(JetStream(options.stream))
                    connection = open
                    try publish(open)
                } catch {
                    // A connection restores itself.
                    connection?.isInDoubt = true
                    throw error
                }
            }
            progressNow.withLock { $0.problem = nil }
            return true
        } catch {
            let isFirst = progressNow.withLock { progress in
                defer {
                    progress.problem = "\(error)"
                    progress.failures += 1
                }
                return progress.problem == nil
            }
            if isFirst { report("cannot forward events; they are kept here until it works: \(error)") }
            return false
        }
    }

    /// Creates the stream if it does not exist.
    private func check(_ stream: JetStream) throws -> Connection {
        let state = try stream.create(partitions: options.partitions, replicas: options.replicas)
        guard let partitions = state.partitions, partitions > 0 else {
            throw StreamError(
                .settings,
                "\(stream.address): the stream \(StreamNames.events) was not made by a collector; remove or rename it"
            )
        }
        // A new stream has nothing of what the former one had: what is still stored here is forwarded again.
        let known = try position.read()
        if let known, known.stream != state.created {
            progressNow.withLock { $0.receipt = 0 }
            report("\(stream.address) has a new stream; forwarding all events that are still stored here")
        }
        try position.write(.init(receipt: progress.receipt, stream: state.created))
        return Connection(stream: stream, partitions: partitions)
    }

    private func publish(_ connection: Connection) throws {
        var receipt = progress.receipt
        let most = connection.stream.maximumPayload
        progressNow.withLock { $0.maximumPayload = most }
        while true {
            let (batches, next) = try store.forwardable(
                after: receipt, limit: options.groupBatches, byteLimit: options.groupBytes)
            guard next > receipt else { return }
            var publications: [JetStream.Publication] = []
            var events: Int64 = 0
            for batch in batches where !batch.isEmpty {
                let message = StreamMessage(batch, collector: "\(store.collectorID)")
                let partition = StreamNames.partition(ofInstall: batch.installID, count: connection.partitions)
                for part in message.split(limit: min(most, StreamMessage.maximumBytes)) {
                    let payload = part.payload
                    guard payload.count <= most else {
                        if let finding = try aside.add(part, bytes: payload.count, limit: most) {
                            report("\(finding)")
                        }
                        continue
                    }
                    publications.append(.init(StreamNames.events(partition), payload, id: part.id))
                }
                events += message.lineCount
            }
            if !publications.isEmpty { _ = try connection.stream.publish(publications) }
            try position.move(to: next)
            receipt = next
            progressNow.withLock { progress in
                progress.receipt = next
                progress.events += events
                progress.messages += Int64(publications.count)
            }
            changes.announce()
        }
    }
}

extension StreamMessage {
    init(_ batch: ForwardedBatch, collector: String) {
        self.init(
            receipt: ReceiptName(collector: collector, number: batch.receipt), batchID: batch.batchID,
            installID: batch.installID, secretHash: batch.secretHash, seqs: batch.seqs,
            receivedAt: batch.receivedAt, sentAt: batch.sentAt,
            absent: batch.absent.map { AbsentNumbers($0.seqs, $0.fate, reason: $0.reason) },
            numbers: batch.numbers, unvalidated: batch.unvalidated, text: batch.text)
    }
}
