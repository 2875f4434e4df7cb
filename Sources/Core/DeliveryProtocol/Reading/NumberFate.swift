/// The fate of a number in the collector. Only a higher fate replaces a fate: erased > stored > opted-out > refused >
/// dropped > forked > held. The raw values are stored in the collector's index and segments, and are not the order.
package enum NumberFate: Int, CaseIterable, Sendable {
    /// Waiting for its user's consent on the device. May change.
    case held = 1
    /// Part of a generation that ended with a fork.
    case forked = 2
    /// Lost intentionally or by an error, and counted in the ledger.
    case dropped = 3
    /// Permanently rejected, by the collector or by the client.
    case refused = 4
    /// The line is, or was, in a segment.
    case stored = 5
    /// Removed because its user was erased.
    case erased = 6
    /// Not sent, or not stored, because its user has opted out.
    case optedOut = 7

    /// The name in JSON.
    package var name: String { self == .optedOut ? "opted-out" : "\(self)" }

    /// The fate with a name; nil for unknown names.
    package init?(name: String) {
        guard let fate = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = fate
    }

    /// The fate of a number without a line in a batch; nil for *delivered earlier*, which only the line itself can
    /// prove.
    package init?(_ reason: MissingReason) {
        switch reason {
        case .erased: self = .erased
        case .optedOut: self = .optedOut
        case .refused: self = .refused
        case .dropped: self = .dropped
        case .forked: self = .forked
        case .held: self = .held
        case .deliveredEarlier: return nil
        }
    }

    package init(ledgerReason reason: String) {
        switch reason {
        case "erased": self = .erased
        case "opted-out": self = .optedOut
        case "refused": self = .refused
        case "forked": self = .forked
        default: self = .dropped
        }
    }
}

extension NumberFate: Comparable {
    private var rank: Int { self == .optedOut ? 2 * Self.stored.rawValue - 1 : 2 * rawValue }

    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}
