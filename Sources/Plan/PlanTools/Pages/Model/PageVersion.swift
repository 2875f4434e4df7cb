/// One version in the history of an event.
struct PageVersion {
    /// `1-0-1`.
    let version: String
    /// The date of its publication, if its schema says so.
    let since: String?
    /// What differs from the version before; nil for the first.
    let changes: [PropertyChange]?
}
