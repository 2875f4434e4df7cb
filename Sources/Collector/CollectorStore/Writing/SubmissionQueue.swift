#if Collector
    internal import Foundation

    /// What waits for the thread that writes. Submissions that come while it syncs are its next group.
    final class SubmissionQueue: @unchecked Sendable {  // `condition` guards everything that changes
        /// A submission, and who waits for the answer.
        struct Waiting {
            var prepared: PreparedSubmission
            var answer: @Sendable (Result<SubmissionOutcome, StoreError>) -> Void
        }

        enum Work {
            case group([Waiting])
            /// Something else that changes the folder; it has its turn between groups.
            case task((StoreCore) -> Void)
            case end
        }

        private enum Item {
            case submission(Waiting)
            case task((StoreCore) -> Void)
        }

        private let condition = NSCondition()
        private var items: [Item] = []
        private var queuedBytes = 0
        private var isClosed = false
        private let maximumBytes: Int
        private let maximumGroupBytes: Int

        init(maximumBytes: Int, maximumGroupBytes: Int) {
            (self.maximumBytes, self.maximumGroupBytes) = (maximumBytes, maximumGroupBytes)
        }

        /// Adds a submission.
        ///
        /// - Throws: ``StoreError`` with `overloaded` or `closed`; then it is not answered otherwise.
        func add(_ waiting: Waiting) throws(StoreError) {
            condition.lock()
            defer { condition.unlock() }
            guard !isClosed else { throw .isClosed }
            guard queuedBytes == 0 || queuedBytes + waiting.prepared.cost <= maximumBytes else {
                throw StoreError(
                    .overloaded, "more batches wait to be written than memory is meant for: try again later")
            }
            queuedBytes += waiting.prepared.cost
            items.append(.submission(waiting))
            condition.signal()
        }

        /// Adds a task.
        ///
        /// - Throws: ``StoreError`` with `closed`.
        func add(_ task: @escaping @Sendable (StoreCore) -> Void) throws(StoreError) {
            condition.lock()
            defer { condition.unlock() }
            guard !isClosed else { throw .isClosed }
            items.append(.task(task))
            condition.signal()
        }

        /// How many submissions wait for their turn.
        var count: Int {
            condition.lock()
            defer { condition.unlock() }
            return items.count
        }

        /// Takes no more. What is in the queue is done first.
        func close() {
            condition.lock()
            defer { condition.unlock() }
            isClosed = true
            condition.signal()
        }

        /// Waits for work. For the thread that writes.
        func next() -> Work {
            condition.lock()
            defer { condition.unlock() }
            while items.isEmpty {
                if isClosed { return .end }
                condition.wait()
            }
            if case .task(let task) = items[0] {
                items.removeFirst()
                return .task(task)
            }
            var (group, bytes): ([Waiting], Int) = ([], 0)
            for case .submission(let waiting) in items.prefix(while: {
                if case .submission = $0 { true } else { false }
            }) {
                guard group.isEmpty || bytes + waiting.prepared.cost <= maximumGroupBytes else { break }
                group.append(waiting)
                bytes += waiting.prepared.cost
            }
            items.removeFirst(group.count)
            queuedBytes -= bytes
            return .group(group)
        }
    }

    extension StoreError {
        static var isClosed: StoreError {
            StoreError(.closed, "the collector is shutting down: send the batch again later")
        }
    }
#endif
