/// What a log says of a consumer at one moment, by the log's numbers.
package struct ConsumerAccount: Hashable, Sendable {
    /// The consumers of the log, this one included if it is registered.
    package let consumers: [String]
    /// Whether the log knows the consumer.
    package let isRegistered: Bool
    /// The highest number that a batch has accounted for.
    package let covered: Int64
    /// The numbers that the consumer has not had, the last range without an end. All of them if it is not registered.
    package let undelivered: [ClosedRange<Int64>]
    /// Those of ``undelivered`` that wait for their user's consent.
    package let held: [ClosedRange<Int64>]
    /// The highest number whose event is in the database, or whose loss is in the ledger.
    package let settled: Int64
    /// The highest number that was drawn, as far as the database and the journals show.
    package let highest: Int64
    /// Every install of the log, the first one first.
    package let generations: [LogGeneration]
}
