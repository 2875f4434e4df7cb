/// The result of a replay.
public struct ReplayOutcome: Sendable {
    /// Whether the app matched the recording.
    public enum Verdict: Equatable, Sendable {
        /// The app matched the whole recording.
        case equal
        /// The app matched up to the index at which the replay stopped.
        case stopped
        /// The app differs from this entry on.
        case diverged(ReplayDivergence)
    }

    /// How a recording ends.
    public enum Ending: String, Equatable, Sendable {
        /// The recorder was closed.
        case closed
        /// The recorder had reached its size limit.
        case full
        /// An entry could not be encoded.
        case notEncodable = "not-encodable"
        /// There is no end mark: the process ended, or the disk was full. The last input may be incomplete.
        case cutShort = "cut-short"
    }

    /// Whether the app matched the recording.
    public let verdict: Verdict
    /// The index of the last equal entry; 0 if there is none.
    public let lastIndex: Int64
    /// How the recording ends; nil if the replay did not reach the end.
    public let ending: Ending?
    /// The SDK that recorded.
    public let recordedSDK: String
    /// The app that was recorded, and its version.
    public let recordedApp: String
    /// The stores of each environment after ``lastIndex``, in the order of the environments. Environments that were not
    /// completely started are missing.
    public let apps: [ReplayedStores]
}

/// The first difference between a replay and its recording.
///
/// The lines contain the session's data, including personal data.
public struct ReplayDivergence: Equatable, Sendable {
    /// The kind of difference.
    public enum Reason: String, Equatable, Sendable {
        /// The app did something different or additional.
        case different = "the app did something else"
        /// The app did less: the input ended before this entry.
        case missing = "the app did not do this"
        /// The recording lacks this entry: a line was removed.
        case gap = "the recording has no such entry"
        /// The recorded entry happened outside any input, so a replay can't cause it: record its cause as an input.
        case outsideInput = "this was recorded outside of any input"
        /// The app cannot decode the input or the value, or accepted it without recording it.
        case notTaken = "the app does not accept this"
    }

    /// The index of the entry, from 1.
    public let index: Int64
    /// The kind of difference.
    public let reason: Reason
    /// The recorded line; nil if there is none.
    public let expected: [UInt8]?
    /// The line that the app would have recorded; nil if the app did nothing.
    public let actual: [UInt8]?
}
