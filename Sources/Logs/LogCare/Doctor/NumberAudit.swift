internal import EventLog
internal import EventModel

/// Follows numbers that should rise by one, or be accounted for.
struct NumberAudit {
    private let account: AccountedNumbers?
    private(set) var first: Int64?
    private(set) var last: Int64?
    private(set) var count: Int64 = 0
    /// Numbers that nothing accounts for.
    private(set) var missing: Int64 = 0
    /// The first of them, a few.
    private(set) var firstMissing: [ClosedRange<Int64>] = []
    /// Numbers that came again or too late.
    private(set) var repeated: Int64 = 0
    private(set) var firstRepeated: Int64?
    /// Events whose number the ledger counts as lost; known at the end.
    private(set) var contradicted: Int64 = 0
    /// Numbers without an event that the ledger accounts for.
    private var explained: Int64 = 0
    private static let shown = 3

    /// - Parameter account: What is lost for a known reason; nil if nobody says.
    init(_ account: AccountedNumbers?) { self.account = account }

    /// Takes the next event's number.
    mutating func add(_ seq: Int64) {
        count += 1
        if let last, seq <= last {
            repeated += 1
            firstRepeated = firstRepeated ?? seq
            return
        }
        if let last { miss(after: last, before: seq) }
        first = first ?? seq
        last = seq
    }

    /// Says how far the numbers should have come.
    mutating func finish(at end: Int64) {
        guard let first, let last else { return }
        if end > last { miss(after: last, before: end + 1) }
        // Whatever it accounts for beyond the gaps stands under an event.
        if let account { contradicted = account.count(in: first...max(last, end)) - explained }
    }

    private mutating func miss(after last: Int64, before next: Int64) {
        guard next > last + 1 else { return }
        let gap = last + 1...next - 1
        explained += next - last - 1
        for range in account?.missing(of: gap) ?? [gap] {
            let count = range.upperBound - range.lowerBound + 1
            missing += count
            explained -= count
            if firstMissing.count < Self.shown { firstMissing.append(range) }
        }
    }

    /// The first gaps as text: `5-7, 9`.
    var gapsText: String {
        let shown = firstMissing.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        let isAll = firstMissing.reduce(0) { $0 + Int64($1.count) } == missing
        return shown.joined(separator: ", ") + (isAll ? "" : " …")
    }
}
