#if Collector
    package import CollectorStore

    /// Batches that follow from an install's name and a number: a process that was killed sends the same ones again as its
    /// successor, and the test knows what must be stored.
    package enum PlannedBatches {
        /// The numbers of a batch; each begins where the one before ends.
        package static func seqs(_ batch: Int) -> ClosedRange<Int64> {
            var first: Int64 = 1
            for earlier in 0..<batch { first += Int64(length(earlier)) }
            return first...(first + Int64(length(batch)) - 1)
        }

        package static func submission(_ phone: Phone, _ batch: Int) -> Submission { phone.batch(batch, seqs(batch)) }

        private static func length(_ batch: Int) -> Int { 1 + (batch * 7919) % 13 }
    }
#endif
