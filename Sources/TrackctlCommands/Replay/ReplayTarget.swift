internal import EventLog
internal import Tracking

/// Where replayed events go.
protocol ReplayTarget {
    /// Stores a batch.
    mutating func store(_ batch: [RecordedContainer]) async throws -> ReplayResult

    /// Makes all of it last. Nothing is stored after this.
    mutating func finish() async throws

    /// Ends after a failure; what was stored for good stays.
    mutating func abandon() async

    /// What a person does after a failure to get the rest.
    var adviceAfterFailure: String { get }
}
