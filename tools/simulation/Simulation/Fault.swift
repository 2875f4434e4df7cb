import ArgumentParser

/// An error that is planted in the model, to show that an invariant finds it.
enum Fault: String, CaseIterable, Sendable, ExpressibleByArgument {
    case droppedBatch = "dropped-batch"
    case earlyPosition = "early-position"
    case brokerLoss = "broker-loss"
    case doubleCount = "double-count"
    case forkDropped = "fork-dropped"
    case forkAsDuplicate = "fork-as-duplicate"
    case forgottenRegister = "forgotten-register"
    case cutSkips = "cut-skips"
    case cutOverlaps = "cut-overlaps"
    case blockTwice = "block-twice"
    case changedBlock = "changed-block"
    case verdictLost = "verdict-lost"
    case unpublishedVerdict = "unpublished-verdict"
    case unreportedFork = "unreported-fork"
    case stayingClone = "staying-clone"
    case earlyRequest = "early-request"
    case missedRequest = "missed-request"
    case forgottenReason = "forgotten-reason"
    case reusedInstall = "reused-install"
    case earlyDeletion = "early-deletion"
    case silentDiscard = "silent-discard"
    case lostCopies = "lost-copies"
    case noJitter = "no-jitter"
    case wrongClockSign = "wrong-clock-sign"
    case eventHour = "event-hour"
    case unmergedNeighbors = "unmerged-neighbors"
    case mergedHoles = "merged-holes"

    /// What goes wrong.
    var summary: String {
        switch self {
        case .droppedBatch: "a collector acknowledges a batch and does not keep it"
        case .earlyPosition: "a forwarder moves its position before the stream acknowledges"
        case .brokerLoss: "the stream loses an acknowledged message"
        case .doubleCount: "the loader writes the rows of duplicates"
        case .forkDropped: "the loader does not write the lines of forks"
        case .forkAsDuplicate: "the register counts a fork as a duplicate"
        case .forgottenRegister: "the register forgets an install"
        case .cutSkips: "a cut leaves out a message"
        case .cutOverlaps: "a cut starts before the end of the last one"
        case .blockTwice: "a block is written again after a crash"
        case .changedBlock: "a block has other messages after a crash"
        case .verdictLost: "collectors miss verdicts"
        case .unpublishedVerdict: "the loader does not publish verdicts"
        case .unreportedFork: "verdicts do not report forks"
        case .stayingClone: "a device keeps its install after 409"
        case .earlyRequest: "gaps are requested immediately"
        case .missedRequest: "old gaps are never requested"
        case .forgottenReason: "reasons for numbers without a line are not counted"
        case .reusedInstall: "a reinstalled app keeps its install ID and numbers from 1"
        case .earlyDeletion: "a device deletes events before they are acknowledged"
        case .silentDiscard: "a device does not report discarded numbers"
        case .lostCopies: "a new install loses the events that the former one had not delivered"
        case .noJitter: "devices retry without jitter"
        case .wrongClockSign: "the corrected time has the wrong sign"
        case .eventHour: "rows are in the hour of the device's time"
        case .unmergedNeighbors: "a union leaves adjacent ranges apart"
        case .mergedHoles: "a union merges ranges across a missing number"
        }
    }

    /// The invariants that may find it first; one each, unless it violates two at the same moment.
    var invariants: [Invariant] {
        switch self {
        case .droppedBatch, .earlyPosition, .brokerLoss: [.acknowledgedIsKept]
        case .forkDropped: [.acknowledgedIsKept, .exactVerdict]
        case .doubleCount, .blockTwice, .changedBlock: [.rowsOnce]
        case .forkAsDuplicate, .forgottenRegister: [.exactRegister]
        case .cutSkips, .cutOverlaps: [.contiguousCuts]
        case .verdictLost: [.verdictIsApplied]
        case .stayingClone: [.clonesSeparate]
        case .earlyRequest: [.justifiedRequest]
        case .missedRequest, .unpublishedVerdict: [.gapIsRequested]
        case .unreportedFork: [.exactVerdict]
        case .forgottenReason: [.exactGaps]
        case .reusedInstall: [.newInstallIsNew]
        case .earlyDeletion: [.deviceKeepsEvents]
        case .silentDiscard: [.completeBatch]
        case .lostCopies: [.explained]
        case .noJitter: [.boundedRate]
        case .wrongClockSign: [.correctedTime]
        case .eventHour: [.receiptHour]
        case .unmergedNeighbors: [.normalRanges]
        case .mergedHoles: [.conservedCounts]
        }
    }
}
