package import EventModel
internal import Primitives

/// Why an event of a log may not be delivered.
package enum HoldReason: String, Sendable {
    /// The person has not answered for the event's purpose.
    case consentUnknown = "consent-unknown"
    /// The person has denied consent, or inherits a denial. If the event is not delivered yet, it is removed when the
    /// log is next open.
    case optedOut = "opted-out"
    /// An anonymous person was signed out without an answer. The event is removed as in ``optedOut``.
    case unanswered
}

/// Events of a purpose that may not be delivered for a reason.
package struct HeldEvents: Hashable, Comparable, Sendable {
    package let reason: HoldReason
    package let purpose: Purpose

    package init(_ reason: HoldReason, for purpose: Purpose) {
        self.reason = reason
        self.purpose = purpose
    }

    package static func < (one: HeldEvents, other: HeldEvents) -> Bool {
        (one.reason.rawValue, one.purpose.name) < (other.reason.rawValue, other.purpose.name)
    }
}

extension ConsentRule {
    /// Why a stored event may not be delivered; nil if it may.
    var holdReason: HoldReason? {
        if mayDeliver { return nil }
        switch removalReason {
        case nil: return .consentUnknown
        case .unanswered?: return .unanswered
        default: return .optedOut
        }
    }
}

/// What the records of consent in a log mean for its events, at one moment. Not thread-safe.
package final class StoredConsent {
    private let rules: ConsentRules
    /// The numbers that at least one consumer has not received.
    private let undelivered: [ClosedRange<Int64>]

    init(_ rules: ConsentRules, undelivered: [ClosedRange<Int64>]) {
        self.rules = rules
        self.undelivered = undelivered
    }

    /// Whether all events may be delivered.
    var isUnrestricted: Bool { rules.isUnrestricted }

    /// The lowest number that can be held; nil if all events may be delivered.
    var firstUndelivered: Int64? { isUnrestricted ? nil : undelivered.first?.lowerBound }

    /// Why an event may not be delivered to anyone, whether a consumer has received it before or not; nil if it may.
    package func holdReason(of line: UnsafeRawBufferPointer, for purpose: Purpose) -> HoldReason? {
        rules.isUnrestricted ? nil : rules.rule(of: line, for: purpose).holdReason
    }

    /// What an event counts as if at least one consumer has not received it because of consent; nil if all have, or
    /// it may be delivered.
    package func held(_ event: BorrowedEvent) -> HeldEvents? {
        guard !rules.isUnrestricted, NumberRanges.contains(undelivered, event.seq) else { return nil }
        return holdReason(of: event.line, for: event.purpose).map { HeldEvents($0, for: event.purpose) }
    }
}
