internal import CollectorIntake
internal import CollectorStore
internal import DeliveryProtocol
internal import EventModel
internal import Foundation
internal import Primitives

/// Decompressed request bodies: each line is accepted or rejected, the store accepts the intake's submissions, and a
/// repeated body changes nothing.
///
/// An input is a byte, whose lowest bit selects whether lines without a batch header are an import, and a body.
package final class BodiesTarget: FuzzTarget {
    package static let name = "bodies"

    private let intake: Intake
    private var store: BatchStore
    private var path: String
    private let folder: ScratchFolder
    private var runs = 0
    /// The number of runs per store: the store grows with each run, and the runs become slower.
    private static let runsOfStore = 5000

    package init() throws {
        intake = Intake(try SchemaKeeper(folder: nil))
        folder = try ScratchFolder()
        path = folder.path("0")
        store = try BatchStore(folder: path, options: Self.options)
    }

    package func seeds() throws -> [[UInt8]] {
        let lines = try LineSeeds.lines().filter { $0.count < 700 }
        return BodySeeds.bodies(of: lines).flatMap { body in [[0] + body, [1] + body] }
    }

    package func run(_ bytes: UnsafeRawBufferPointer) throws {
        guard let flags = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        let facts = Intake.Facts(
            idempotencyKey: nil, receivedAt: EventTime(microseconds: 1_700_000_000_000_000), sentAt: nil,
            mayImport: flags & 1 == 1)
        let submission: Submission
        do throws(DeliveryProblem) { submission = try intake.submission(of: body, facts) } catch {
            return try require(
                [.malformed, .tooLarge, .forbidden].contains(error.code) && !error.detail.isEmpty,
                "a body is rejected as \(error.code)")
        }
        let isBatch = if case .batch = submission.origin { true } else { false }
        let lines = body.split(separator: UInt8(ascii: "\n")).filter { $0 != [UInt8(ascii: "\r")] }
        try require(
            submission.lineCount == lines.count - (isBatch ? 1 : 0),
            "of \(lines.count) lines the submission has \(submission.lineCount)")
        let first = try submit(submission)
        guard case .accepted(let receipt, _) = first else { return }
        try require(
            receipt.stored.allSatisfy {
                1...EventRecord.highestSeq ~= $0.lowerBound && $0.lowerBound <= $0.upperBound
            },
            "the receipt stores \(receipt.stored)")
        try require(
            receipt.rejected.allSatisfy { !$0.code.isEmpty && !$0.message.isEmpty }, "a rejection is empty")
        try require(
            NumberRanges.difference(receipt.missing, receipt.stored) == receipt.missing,
            "a stored number is missing")
        guard case .accepted(let again, let isRepeat) = try submit(submission) else {
            throw FuzzIssue("an accepted body is rejected when it is repeated")
        }
        try require(!isBatch || isRepeat && again == receipt, "a repeated batch has a different receipt")
        try require(
            again.stored == receipt.stored, "the second time \(again.stored) are stored, not \(receipt.stored)")
        try renew()
    }

    private func submit(_ submission: Submission) throws -> SubmissionOutcome {
        let answer = Locked<Result<SubmissionOutcome, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        let store = store
        Task {
            let result: Result<SubmissionOutcome, any Error>
            do { result = .success(try await store.submit(submission)) } catch { result = .failure(error) }
            answer.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let answer = answer.withLock({ $0 }) else { throw FuzzIssue("the store does not answer") }
        do { return try answer.get() } catch { throw FuzzIssue("the store fails: \(error)") }
    }

    /// Replaces the store after many runs.
    private func renew() throws {
        runs += 1
        guard runs.isMultiple(of: Self.runsOfStore) else { return }
        let former = store
        let done = DispatchSemaphore(value: 0)
        Task {
            await former.close()
            done.signal()
        }
        done.wait()
        try FileManager.default.removeItem(atPath: path)
        path = folder.path("\(runs)")
        store = try BatchStore(folder: path, options: Self.options)
    }

    private static var options: BatchStore.Options {
        var options = BatchStore.Options()
        options.files = UnsyncedFiles()
        return options
    }
}

/// A folder that is removed with its owner.
private final class ScratchFolder {
    private let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: root) }  // what stays is in the system's temporary folder

    func path(_ name: String) -> String { root.appendingPathComponent(name).path }
}

/// The system's files without syncs, because a run should take microseconds.
private struct UnsyncedFiles: StoreFiles {
    private let system = SystemFiles()

    func openForReading(_ path: String) throws -> CInt { try system.openForReading(path) }
    func read(_ descriptor: CInt, _ memory: UnsafeMutableRawBufferPointer, at offset: Int64, path: String) throws
        -> Int
    { try system.read(descriptor, memory, at: offset, path: path) }
    func sync(_ descriptor: CInt, path: String) throws {}
    func syncFolder(_ path: String) throws {}
}
