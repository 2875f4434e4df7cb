package import DeliveryProtocol

/// The outcome of a submission, returned when everything that it states is synced to the disk.
package enum SubmissionOutcome: Equatable, Sendable {
    /// Accepted. `isRepeat`: the batch was accepted before, and this is its original receipt.
    case accepted(Receipt, isRepeat: Bool)
    /// A number is already stored with different bytes; nothing was changed. `acknowledged` has the batch's numbers
    /// that are stored with the same bytes.
    case fork(acknowledged: [ClosedRange<Int64>], forked: [ClosedRange<Int64>])
    /// The install is registered with another secret; nothing was changed.
    case installTaken
    /// The batch's id was used for another body; nothing was changed.
    case keyReused
    /// The install has too many ranges of numbers, and the batch may add more; nothing was changed.
    case tooManyRanges

    /// The problem to respond with; nil if the submission was accepted.
    package var problem: DeliveryProblem? {
        switch self {
        case .accepted: nil
        case .fork(let acknowledged, let forked):
            DeliveryProblem(
                .fork,
                "the numbers in 'forked' are already stored with different bytes; start a new generation of the log",
                acknowledged: acknowledged, forked: forked)
        case .installTaken:
            DeliveryProblem(
                .installTaken, "the install is registered with another secret; start a new generation of the log")
        case .keyReused:
            DeliveryProblem(
                .keyReused, "the batch id was already used with different lines; send the batch under a new id")
        case .tooManyRanges: .tooManyRanges
        }
    }
}

extension DeliveryProblem {
    static let tooManyRanges = DeliveryProblem(
        .overQuota,
        "the install has more than \(IndexWriter.maximumRanges) ranges of numbers; resend the numbers between them first",
        retryAfter: 300)
}
