package import CollectorStore

/// Batches that are derived from an install's name and a number: after a process is killed, its successor sends the
/// same batches, and the test knows what must be stored.
package enum PlannedBatches {
    /// The numbers of a batch; each batch starts where the previous batch ends.
    package static func seqs(_ batch: Int) -> ClosedRange<Int64> {
        var first: Int64 = 1
        for earlier in 0..<batch { first += Int64(length(earlier)) }
        return first...(first + Int64(length(batch)) - 1)
    }

    package static func submission(_ phone: Phone, _ batch: Int) -> Submission { phone.batch(batch, seqs(batch)) }

    private static func length(_ batch: Int) -> Int { 1 + (batch * 7919) % 13 }
}
