/// Amounts in a limit that sources share. A source may use as much as it leaves unused: alone half of the limit, next to
/// another one a third of it. So a source that uses all it can get leaves room for each new one.
package struct Shares {
    private let maximum: Int
    package private(set) var total = 0
    private var amounts: [String: Int] = [:]

    package init(maximum: Int) { self.maximum = maximum }

    /// Adds an amount, unless it exceeds the limit or the share.
    ///
    /// - Parameter source: nil for one without a share: only the limit applies.
    package mutating func add(_ amount: Int, of source: String?) -> Bool {
        guard total + amount <= maximum else { return false }
        if let source {
            let own = amounts[source, default: 0] + amount
            guard own <= maximum - total - amount else { return false }
            amounts[source] = own
        }
        total += amount
        return true
    }

    /// Adds an amount, whatever the limit.
    package mutating func force(_ amount: Int, of source: String?) {
        if let source { amounts[source, default: 0] += amount }
        total += amount
    }

    package mutating func remove(_ amount: Int, of source: String?) {
        total -= amount
        guard let source else { return }
        let rest = amounts[source, default: 0] - amount
        amounts[source] = rest == 0 ? nil : rest
    }
}
