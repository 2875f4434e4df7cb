internal import EventLog
internal import TrackingCore

/// The text of drops in a failure, with the reason and what to do.
struct DropText {
    let steps: RecordedSteps

    /// The text of each of these steps, in order. Successive drops with the same reason share a text with their count.
    func texts(at locations: [Int]) -> [String] {
        var texts: [(head: String, detail: String, count: Int)] = []
        for location in locations {
            let head = steps.all[location].description
            let detail = detail(at: location) ?? ""
            if let last = texts.last, last.head == head, last.detail == detail, steps.all[location].isDrop {
                texts[texts.count - 1].count += 1
            } else {
                texts.append((head, detail, 1))
            }
        }
        return texts.map { head, detail, count in
            head + (count > 1 ? " (\(count) times)" : "") + (detail.isEmpty ? "" : "\n      \(detail)")
        }
    }

    /// The reason for a drop and what to do; nil for other steps, and if the drop reason is all that is known.
    private func detail(at location: Int) -> String? {
        guard case .diagnostic(.dropped(let name, let reason)) = steps.all[location] else { return nil }
        switch reason {
        case .encoding:
            guard location > 0, case .diagnostic(.notEncodable(name, let path, let reason)) = steps.all[location - 1]
            else { return nil }
            return "\(path.isEmpty ? "its value" : path) cannot be encoded: \(reason)"
        case .outOfLimits:
            return steps.limit(ofDropAt: location).map { "\($0): send a value within the limit, or change the schema" }
        case .runaway:
            return
                "more events in one second than the sending limit allows: advance the recorder's clock, or make the mock "
                + "with sendingLimit: nil"
        case .tooLarge: return "its line is longer than 32 KiB: send less in one event"
        case .invalidName:
            return
                "its name must be in kebab-case, such as order-placed, and its version such as 1-0-0: change its type"
        case .optedOut: return "the user has opted out: call setConsent(.granted) to send events again"
        case .unanswered:
            return "it waited for the consent of a person who was signed out: call setConsent before reset()"
        case .unplanned: return "the plan has no schema for it: add one, or pass unplanned: .allowed to the mock"
        case .switchedOff: return "remote switches turn it off: change the document that the app gets"
        default: return nil
        }
    }
}
