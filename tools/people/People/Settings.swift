import EventLog

/// What stays the same in a history.
struct Settings: CustomStringConvertible {
    enum Store: String, CaseIterable { case memory, sqlite }

    /// The storage of the identity.
    enum Storage: String, CaseIterable {
        /// Values are set without a disk.
        case immediate
        /// A value is set on a disk.
        case prompt
        /// A value is set at the next `flushToDisk` or `stop`.
        case slow
        /// A file that all processes change.
        case file
    }

    var store: Store
    var storage: Storage
    var scope: ConsentScope
    /// Whether the identity is the log's, for all processes. Otherwise each process has its own storage.
    var sharesIdentity: Bool
    /// Whether trackers are made by `TrackingEnvironment.live`; otherwise by `Tracker.open`.
    var isLive: Bool
    var processes: Int
    /// Whether events have several purposes. Otherwise all are for analytics, and answers are for all.
    var hasPurposes: Bool
    /// Whether events are also sent as users of `Tracker.as(user:)`.
    var hasUsers: Bool
    /// Whether nothing may be stored before the answer. One process, which then opens the log only if it is needed.
    var storesNothingBefore: Bool
    /// Whether the log is opened only if it is needed. A log in memory has no files to read before.
    var opensWhenNeeded: Bool { storesNothingBefore && store == .sqlite }
    /// Whether a start continues the session of the log's newest event.
    var resumesSessions: Bool { sharesIdentity || processes == 1 }

    var description: String {
        "\(store.rawValue) log, \(storage.rawValue) storage, scope \(scope), "
            + (sharesIdentity ? "the log's identity" : "own identities") + ", \(isLive ? "live" : "open"), "
            + "\(processes) process\(processes == 1 ? "" : "es")" + (hasPurposes ? ", several purposes" : "")
            + (hasUsers ? ", users" : "") + (storesNothingBefore ? ", nothing before the answer" : "")
    }
}
