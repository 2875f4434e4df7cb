/// A consumer's progress at one moment. All numbers are log numbers.
package struct ConsumerAccount: Hashable, Sendable {
    /// The registered consumers of the log.
    package let consumers: [String]
    /// Whether the consumer is registered.
    package let isRegistered: Bool
    /// The highest number that a batch has accounted for.
    package let covered: Int64
    /// The numbers that the consumer has not received. The last range is open-ended. All numbers if the consumer is not
    /// registered.
    package let undelivered: [ClosedRange<Int64>]
    /// The part of ``undelivered`` that waits for its user's consent.
    package let held: [ClosedRange<Int64>]
    /// The highest number whose event is in the database, or whose loss is in the ledger.
    package let settled: Int64
    /// The highest drawn number that the database and the journals show.
    package let highest: Int64
    /// Every install of the log, oldest first.
    package let generations: [LogGeneration]
}
