/// Why a question about sets of values stays open: what is asked is beyond what they can express, or beyond the budget.
struct BeyondSets: Error, Hashable {
    /// The reason, in a clause.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
