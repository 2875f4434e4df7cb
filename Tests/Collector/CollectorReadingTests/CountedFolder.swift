import CollectorFixtures
import CollectorIntake
import CollectorReading
import CollectorStore
import CommandRunner
import DeliveryProtocol
import EventModel

/// A store with the standard schemas, and the path of a database of statistics.
final class CountedFolder: Sendable {
    let temporary: TemporaryFolder
    let store: BatchStore
    private let schemas: SchemaKeeper
    var path: String { temporary.path("statistics.sqlite") }

    /// The time of the first batch: noon.
    static let noon = EventTime(seconds: 1_700_049_600)
    static let day = 19_676

    init() throws {
        temporary = try TemporaryFolder()
        schemas = try SchemaKeeper(folder: nil)
        store = try BatchStore(folder: temporary.path("store"))
    }

    func statistics(maximumTexts: Int = 20_000) throws -> ArrivalStatistics {
        let schemas = schemas
        return try ArrivalStatistics(
            path: path, store, interval: .zero, maximumTexts: maximumTexts,
            planned: { schemas.eventNames },
            blocking: { body in body() }, report: { _ in })
    }

    /// Statistics that have counted all batches.
    func counted() throws -> ArrivalStatistics {
        let statistics = try statistics()
        try statistics.count()
        return statistics
    }

    /// Stores a batch as the collector does.
    ///
    /// - Parameter later: The time of receipt, after ``noon``, in seconds.
    /// - Returns: The receipt's number.
    @discardableResult
    func send(
        _ number: Int, _ seqs: ClosedRange<Int64>, _ lines: [String], from sender: SendingInstall, later: Int64 = 0,
        missing: [BatchHeader.MissingRange] = [], ledger: [BatchHeader.LedgerRow] = []
    ) async throws -> Int64 {
        let received = EventTime(microseconds: Self.noon.microseconds + later * 1_000_000)
        let submission = try Intake(schemas).submission(
            of: SendingInstall.body([sender.header(number, seqs, missing: missing, ledger: ledger)] + lines),
            .init(
                idempotencyKey: nil, receivedAt: received,
                sentAt: EventTime(microseconds: received.microseconds - 500_000), mayImport: false))
        switch try await store.submit(submission) {
        case .accepted(let receipt, _): return receipt.name.number
        case let other: throw Unexpected(outcome: "\(other)")
        }
    }

    struct Unexpected: Error { let outcome: String }
}

extension SendingInstall {
    /// Valid lines from a version of an app.
    func lines(_ seqs: ClosedRange<Int64>, app: String) -> [String] {
        seqs.map {
            line($0).replacing(
                #""schema":"#, with: #""context":{"app":"\#(app)","sdk":"swift-tracking 1.0.0"},"schema":"#)
        }
    }
}
