/// What must be true at each operation.
enum Invariant: Int, CaseIterable, Sendable {
    case normalRanges
    case conservedCounts
    case exactRegister
    case rowsOnce
    case acknowledgedIsKept
    case exactGaps
    case justifiedRequest
    case exactVerdict
    case gapIsRequested
    case verdictIsApplied
    case clonesSeparate
    case newInstallIsNew
    case deviceKeepsEvents
    case completeBatch
    case contiguousCuts
    case correctedTime
    case receiptHour
    case boundedRate
    case explained

    var name: String {
        switch self {
        case .normalRanges: "ranges are in order, disjoint, not adjacent, and within 1...highest"
        case .conservedCounts: "|a ∪ b| + |a ∩ b| = |a| + |b|, and |a − b| + |a ∩ b| = |a|"
        case .exactRegister: "the register accepts each event once, as a line or as a fork"
        case .rowsOnce: "each row is stored once; a repeated block has the same rows"
        case .acknowledgedIsKept: "an acknowledged event is at a collector, in the stream or in the store"
        case .exactGaps: "gaps are 1...highest without the numbers that messages accounted for"
        case .justifiedRequest: "a verdict requests only numbers that are missing and older than the gap age"
        case .exactVerdict: "a verdict has the numbers of all forks, and the first secret if another one arrived"
        case .gapIsRequested: "an old gap is in the published verdict"
        case .verdictIsApplied: "collectors apply published verdicts"
        case .clonesSeparate: "after 409 a device continues as a new install"
        case .newInstallIsNew: "a number has different bytes only after a clone or a restored backup"
        case .deviceKeepsEvents: "a device keeps each event until it is acknowledged or discarded with a reason"
        case .completeBatch: "a batch has a line or a reason for each of its numbers"
        case .contiguousCuts: "each message of the stream is in one block, in order"
        case .correctedTime: "the corrected time is off by the transit time, plus the clock's jumps since the event"
        case .receiptHour: "a row is in the hour of its receipt"
        case .boundedRate: "the request rate after an outage is bounded"
        case .explained: "each number is stored, explained, waiting on its device, or lost with the device"
        }
    }
}

/// An invariant that failed.
struct Violation: Error, Sendable {
    var invariant: Invariant
    var time: Microseconds
    var partition: Int
    var install: String
    var detail: String
}

/// Counts and checks.
struct Checks: Sendable {
    private(set) var counts = [Int64](repeating: 0, count: Invariant.allCases.count)
    /// Operations on ranges.
    var operations: Int64 = 0

    var total: Int64 { counts.reduce(0, +) }

    mutating func count(_ invariant: Invariant, _ checks: Int64 = 1) { counts[invariant.rawValue] += checks }

    mutating func add(_ other: Checks) {
        for index in counts.indices { counts[index] += other.counts[index] }
        operations += other.operations
    }
}
