internal import EventLog
internal import TextRendering

/// Reports events that are not delivered because of their users' consent, by reason and purpose.
enum HeldCheck {
    static func findings(_ held: [HeldEvents: Int64], _ database: String) -> [Finding] {
        held.sorted { $0.key < $1.key }.map { events, count in
            Finding(
                .held, .note, at: database,
                message: "\(count.counted("event")) for \(events.purpose) held: \(events.reason.rawValue)",
                advice: advice(events.reason), numbers: ["count": count])
        }
    }

    private static func advice(_ reason: HoldReason) -> String {
        switch reason {
        case .consentUnknown:
            "no action needed: their users have not answered yet; a grant delivers the events, a denial removes them"
        case .optedOut, .unanswered: "no action needed: the next opening of the log removes them"
        }
    }
}
