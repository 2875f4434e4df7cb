import CrashSupport

/// Counts the activities during which senders were killed.
struct KillTally {
    private(set) var kills = 0
    private var counts: [String: Int] = [:]

    /// Counts a kill by the notebook's activities.
    mutating func add(_ notebook: Notebook) {
        kills += 1
        for phase in Self.phases(notebook) { counts[phase, default: 0] += 1 }
    }

    private static let names: [(Activity, String)] = [
        (.opening, "opening the log"), (.flushing, "flushing"), (.delivering, "in the sink"),
        (.rotating, "rotating"), (.checkpointing, "checkpointing"), (.closing, "closing"), (.finished, "closed"),
    ]

    private static func phases(_ notebook: Notebook) -> [String] {
        let activity = notebook.activity
        guard activity.contains(.started) else { return ["loading the program"] }
        var phases = names.filter { activity.contains($0.0) }.map(\.1)
        if notebook.isInsideSend {
            phases.append("inside send")
        } else if activity.contains(.sending) {
            phases.append("between sends")
        }
        return phases.isEmpty ? ["elsewhere"] : phases
    }

    /// The rows of the summary; a kill may count in several.
    var rows: [(String, String)] {
        let order = [
            "loading the program", "opening the log", "inside send", "between sends", "flushing", "in the sink",
            "rotating", "checkpointing", "closing", "closed", "elsewhere",
        ]
        return [("kills", "\(kills)")] + order.map { ("  \($0)", "\(counts[$0] ?? 0)") }
    }

    static func += (left: inout Self, right: Self) {
        left.kills += right.kills
        left.counts.merge(right.counts, uniquingKeysWith: +)
    }
}
