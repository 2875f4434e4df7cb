package import StreamClient

/// The rows that a loader writes together. The same cut gives the same bytes, whichever loader makes the block.
package struct Block: Equatable, Sendable {
    package var cut: BlockCut
    /// The rows of the table `events`, by the hour in which the collectors received them, in order.
    package var events: [RowGroup] = []
    /// The rows of the table `numbers`, likewise.
    package var numbers: [RowGroup] = []
    /// The events of each install, in the order of ids and forks.
    package var installs: [InstallRows] = []
    /// Lines that an earlier message had with the same bytes.
    package var duplicates: Int64 = 0

    /// The block's id, such as `3-17`.
    package var id: String { cut.id }

    package init(cut: BlockCut) { self.cut = cut }

    /// Rows that were received in the same hour.
    package struct RowGroup: Equatable, Sendable {
        /// Hours since 1970, UTC.
        package var hour: Int64
        package var count: Int64
        /// JSON objects, each followed by a line feed.
        package var text: [UInt8]
        /// The hash of the rows' lines; 0 for rows of `numbers`.
        package var hash: UInt64

        package init(hour: Int64, count: Int64 = 0, text: [UInt8] = [], hash: UInt64 = 0) {
            self.hour = hour
            self.count = count
            self.text = text
            self.hash = hash
        }
    }

    /// The events of an install in the block.
    package struct InstallRows: Equatable, Sendable {
        package var installID: String
        /// Empty, or the id of the fork.
        package var fork: String
        package var ranges: [ClosedRange<Int64>]
        package var count: Int64
        package var hash: UInt64

        package init(installID: String, fork: String, ranges: [ClosedRange<Int64>], count: Int64, hash: UInt64) {
            self.installID = installID
            self.fork = fork
            self.ranges = ranges
            self.count = count
            self.hash = hash
        }
    }
}
