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
