internal import CollectorIntake
internal import DeliveryProtocol
internal import NIOCore
internal import Primitives

/// The bodies of batches that arrived twice lately, with their receipts: a client that sends a batch again and again costs no
/// more than reading it, and nothing on the store's thread. Thread-safe.
final class RecentBatches: Sendable {
    /// A body as it arrived, and what else decides about its receipt.
    struct Content: Equatable {
        fileprivate(set) var body: ByteBuffer
        let encoding: BodyEncoding
        let keyID: String
        /// The `Idempotency-Key`.
        let id: String?

        /// Equal for equal contents. Computed without most of the body: a different content with this value replaces it.
        fileprivate var summary: Int {
            var hasher = Hasher()
            let bytes = body.readableBytesView
            for part in [bytes.prefix(128), bytes.suffix(64)] { part.withUnsafeBytes { hasher.combine(bytes: $0) } }
            hasher.combine(bytes.count)
            hasher.combine(keyID)
            return hasher.finalize()
        }
    }

    /// What the store answered, and what the batch costs of the quotas.
    struct Answer {
        let receipt: Receipt
        let work: Int
        let bodyLength: Int
    }

    private struct Entry {
        let content: Content
        let answer: Answer
        var turn: UInt64
    }

    private struct State {
        /// How often all answers were forgotten.
        var forgotten = 0
        var entries: [Int: Entry] = [:]
        /// The memory of the bodies.
        var bytes = 0
        var turn: UInt64 = 0

        mutating func remove(_ summary: Int) {
            bytes -= entries.removeValue(forKey: summary)?.content.body.storageCapacity ?? 0
        }
    }

    /// The longest body, and the memory of all bodies, in bytes.
    static let maximumBody = 64 << 10
    static let maximumBytes = 4 << 20
    /// The maximum number of batches, and of rejected lines in a receipt.
    private static let maximumCount = 10_000
    private static let maximumRejected = 100

    private let state = Locked(State())

    /// How often all answers were forgotten. Read it before the store decides; see ``add(_:to:since:)``.
    var forgotten: Int { state.withLock { $0.forgotten } }

    /// The answer to the same content; nil if it is not known.
    func answer(to content: Content) -> Answer? {
        let isEmpty = state.withLock { $0.entries.isEmpty }
        guard !isEmpty, content.body.readableBytes <= Self.maximumBody else { return nil }
        let summary = content.summary
        return state.withLock { state in
            guard let entry = state.entries[summary], entry.content == content else { return nil }
            state.turn += 1
            state.entries[summary]?.turn = state.turn
            return entry.answer
        }
    }

    /// Remembers an answer that the store has repeated. It repeats the answer as long as it has the batch.
    ///
    /// - Parameter forgotten: The value of ``forgotten`` before the store decided: events may have been erased since.
    func add(_ answer: Answer, to content: Content, since forgotten: Int) {
        guard content.body.readableBytes <= Self.maximumBody, answer.receipt.rejected.count <= Self.maximumRejected
        else { return }
        let summary = content.summary
        var content = content
        // A part of the connection's buffer would keep all of it.
        content.body = ByteBuffer(bytes: content.body.readableBytesView)
        let size = content.body.storageCapacity
        state.withLock { [content] state in
            guard state.forgotten == forgotten else { return }
            state.remove(summary)
            if state.bytes + size > Self.maximumBytes || state.entries.count >= Self.maximumCount {
                removeOldest(&state)
            }
            state.turn += 1
            state.entries[summary] = Entry(content: content, answer: answer, turn: state.turn)
            state.bytes += size
        }
    }

    /// Removes the half that was not used for the longest time.
    private func removeOldest(_ state: inout State) {
        let turns = state.entries.values.map(\.turn).sorted()
        let middle = turns[turns.count / 2]
        for (summary, entry) in state.entries where entry.turn <= middle { state.remove(summary) }
    }

    /// Forgets all answers: events were erased.
    func removeAll() { state.withLock { $0 = State(forgotten: $0.forgotten + 1) } }
}
