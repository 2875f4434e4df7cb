/// Where a replay left its recording: the first difference.
///
/// The lines hold what the session held, personal data too.
public struct ReplayDivergence: Equatable, Sendable {
    /// What kind of difference it is.
    public enum Reason: String, Equatable, Sendable {
        /// The app did something else than recorded, or something more.
        case different = "the app did something else"
        /// The app did less: the input ended before this was done.
        case missing = "the app did not do this"
        /// The recording lacks this entry: a line was taken out of it.
        case gap = "the recording has no such entry"
        /// What was recorded happened outside of any input, so nothing makes it happen again: the app must record what
        /// causes it as an input.
        case outsideInput = "this was recorded outside of any input"
        /// The app cannot read the input or the value, or took it without recording it.
        case notTaken = "the app does not take this"
    }

    /// The index of the entry, from 1.
    public let index: Int64
    /// What kind of difference it is.
    public let reason: Reason
    /// The recording's line; nil if it has none there.
    public let expected: [UInt8]?
    /// The line that the app would have recorded; nil if it did nothing.
    public let actual: [UInt8]?
}
