/// How a replay ended.
public struct ReplayOutcome: Sendable {
    /// Whether the app did what was recorded.
    public enum Verdict: Equatable, Sendable {
        /// All of it, to the end of the recording.
        case equal
        /// All of it, to the index at which the replay was to stop.
        case stopped
        /// Not from here on.
        case diverged(ReplayDivergence)
    }

    /// How a recording ends.
    public enum Ending: String, Equatable, Sendable {
        /// The recorder was closed.
        case closed
        /// It had reached its size limit.
        case full
        /// An entry could not be encoded.
        case notEncodable = "not-encodable"
        /// There is no mark: the process ended, or the disk was full. The last input may be half of itself.
        case cutShort = "cut-short"
    }

    /// Whether the app did what was recorded.
    public let verdict: Verdict
    /// The index of the last entry that was played and found equal; 0 if there is none.
    public let lastIndex: Int64
    /// How the recording ends; nil if the replay did not come that far.
    public let ending: Ending?
    /// The SDK that recorded.
    public let recordedSDK: String
    /// The app that was recorded, and its version.
    public let recordedApp: String
    /// The stores of each environment as they were after ``lastIndex``, in the order of the environments. One whose
    /// start was not played to its end has none.
    public let apps: [ReplayedStores]
}

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
