import Foundation
import LogFixtures
import Testing

@testable import EventLog

/// The size of SQLite's write-ahead log.
@Suite("The write-ahead log")
struct WriteAheadLogTests {
    private let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private var size: Int {
        get throws {
            try FileManager.default.attributesOfItem(atPath: folder.path + "-wal")[.size] as? Int ?? 0
        }
    }

    @Test("stays bounded under a steady load, and is truncated when the mover sleeps")
    func bounded() async throws {
        let store = try folder.open()
        var (largest, rounds) = (0, 0)
        // If the sender is slow, the mover sleeps in between, and the file needs more rounds to grow.
        while rounds < 20 || (largest <= 1 << 20 && rounds < 200) {
            for _ in 0..<1000 { #expect(throws: Never.self) { try store.append(length: 400).get() } }
            try await store.commit()
            largest = try max(largest, size)
            rounds += 1
        }
        // SQLite restarts the log after 1,000 pages, and a transaction of 500 such events has about 130.
        #expect(largest > 1 << 20)
        #expect(largest < 6 << 20)
        try await store.perform { $0.rest() }
        #expect(try size < 1 << 20)
        try await store.close()
    }

    @Test("shrinks again after a reader has held a transaction open")
    func slowReader() async throws {
        let store = try folder.open()
        store.append()
        try await store.commit()
        let reader = try EventLogReader(path: folder.path)
        let grown = try await onThread {
            var grown = 0
            try reader.forEach { _ in
                for _ in 0..<10 {
                    for _ in 0..<1000 { store.append(length: 400) }
                    try waiting { try await store.commit() }
                }
                grown = try size
                return false
            }
            return grown
        }
        #expect(grown > 4 << 20)
        try await store.perform { $0.rest() }
        #expect(try size < 1 << 20)
        try await store.close()
    }
}

/// Runs work that blocks its thread. On a thread of Swift's pool, which has one a processor, it could wait for ever for tasks.
private func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}

/// Waits for asynchronous work.
private func waiting(_ work: @escaping @Sendable () async throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var failure: (any Error)?  // Set before the signal, read after it.
    Task.detached {
        do { try await work() } catch { failure = error }
        done.signal()
    }
    done.wait()
    if let failure { throw failure }
}
