#if Collector
    package import DeliveryProtocol

    /// The answer to a submission. It is given when everything that it says is on the disk.
    package enum SubmissionOutcome: Equatable, Sendable {
        /// Accepted. `isRepeat`: the batch was accepted before, and this is the receipt that it got then.
        case accepted(Receipt, isRepeat: Bool)
        /// A number is held with other bytes: nothing was changed. `acknowledged` are the batch's numbers that are held with the
        /// same bytes.
        case fork(acknowledged: [ClosedRange<Int64>], forked: [ClosedRange<Int64>])
        /// The install belongs to another secret: nothing was changed.
        case installTaken
        /// The batch's id was used for another body: nothing was changed.
        case keyReused

        /// The problem to answer with; nil if the submission was accepted.
        package var problem: DeliveryProblem? {
            switch self {
            case .accepted: nil
            case .fork(let acknowledged, let forked):
                DeliveryProblem(
                    .fork, "the numbers in 'forked' are held with other bytes: start a new generation of the log",
                    acknowledged: acknowledged, forked: forked)
            case .installTaken:
                DeliveryProblem(
                    .installTaken, "the install was pinned to another secret: start a new generation of the log")
            case .keyReused:
                DeliveryProblem(
                    .keyReused, "the batch's id came with other lines before: seal the batch under a new id")
            }
        }
    }
#endif
