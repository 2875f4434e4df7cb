/// What became of a number, as the collector knows it. A fate gives way to a higher one only: erased > stored > refused or
/// dropped > held. The raw values are in the collector's index and segments.
package enum NumberFate: Int, CaseIterable, Sendable {
    /// Waits for its user's consent on the device. May change.
    case held = 1
    /// Belongs to a generation that a fork has ended.
    case forked = 2
    /// Lost on purpose or by an error, and counted in the ledger.
    case dropped = 3
    /// Refused for good, by the collector or by the client.
    case refused = 4
    /// Its line is, or was, in a segment.
    case stored = 5
    /// Removed for its user.
    case erased = 6

    /// The name in JSON.
    package var name: String { "\(self)" }

    /// The fate with a name; nil if there is none.
    package init?(name: String) {
        guard let fate = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = fate
    }

    /// The fate of a number that a batch has no line for; nil if that says nothing: *delivered earlier* is proved by the line.
    package init?(_ reason: MissingReason) {
        switch reason {
        case .erased: self = .erased
        case .refused: self = .refused
        case .dropped: self = .dropped
        case .forked: self = .forked
        case .held: self = .held
        case .deliveredEarlier: return nil
        }
    }

    /// The fate of the numbers of a ledger row.
    package init(ledgerReason reason: String) {
        switch reason {
        case "erased": self = .erased
        case "refused": self = .refused
        case "forked": self = .forked
        default: self = .dropped
        }
    }
}

extension NumberFate: Comparable {
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
