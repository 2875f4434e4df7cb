import EventLog
import EventModel
import Foundation

/// A folder for a benchmark's files, on a real disk, gone with it.
final class LogFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)  // lost: disk space in the system's temporary folder
    }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    /// Opens a log as an app would, but for keeping everything.
    func openLog(maximumPendingBytes: Int = 64 << 20) throws -> SQLiteEventStore {
        try SQLiteEventStore(
            path: self("events.sqlite"),
            options: .init(
                installID: { UUID().uuidString }, retention: .keepAll, maximumPendingBytes: maximumPendingBytes))
    }
}

/// Runs asynchronous work on a thread that has nothing else to do.
func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result: Result<Value, any Error>?  // set before the signal, read after it
    Task.detached {
        do { result = .success(try await work()) } catch { result = .failure(error) }
        done.signal()
    }
    done.wait()
    guard let result else { throw BenchmarkFailure("the work gave nothing") }
    return try result.get()
}
