internal import EventLog
internal import EventModel
internal import TextRendering

extension ReplayResult {
    /// How many events were looked at.
    var total: Int { kept + renumbered + known }

    /// `20,103 events: 20,103 kept, 0 renumbered, 0 known (skipped)`.
    var summary: String {
        let events = "\(total.grouped) event\(total == 1 ? "" : "s")"
        let counts = "\(kept.grouped) kept, \(renumbered.grouped) renumbered, \(known.grouped) known (skipped)"
        return "\(events): \(counts)" + (kept + renumbered == 0 ? "; nothing new" : "")
    }
}
