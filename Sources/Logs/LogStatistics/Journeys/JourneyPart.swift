/// Who did something when, and which steps of funnels it was: of some lines, to be added to ``Journeys``.
package struct JourneyPart: Sendable {
    /// A line that takes steps of a funnel.
    struct Match: Sendable {
        let line: Int
        let funnel: Int
        /// A bit for each step, the first step's the lowest.
        let steps: UInt32
    }

    /// A hash for each line.
    var users: [UInt64] = []
    /// A hash for each line.
    var sessions: [UInt64] = []
    /// For each line, in microseconds since 1970.
    var times: [Int64] = []
    /// In the order of the lines.
    var matches: [Match] = []
}
