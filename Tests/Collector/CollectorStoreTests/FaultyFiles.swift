import Foundation
import Primitives
import Testing

@testable import CollectorStore

/// The system's files, with calls that a test can make fail, write fewer bytes, or wait.
final class FaultyFiles: StoreFiles, Sendable {
    enum Call: Hashable {
        case create, write, read, sync, syncFolder, rename, remove
    }

    /// The replacement of a call.
    enum Fault {
        /// Fails with this error, without effect.
        case error(CInt)
        /// Writes at most this many bytes.
        case short(Int)
        /// Writes this many bytes, then fails.
        case partial(Int, CInt)
        /// Executes the call, then fails.
        case afterwards(CInt)
        /// Waits, then executes the call.
        case wait(DispatchSemaphore)
    }

    /// Failures at each step of rewriting a segment: before the rename, and after it.
    static let failuresOfRewriting: [(Call, Fault)] = [
        (.create, .error(EIO)), (.write, .partial(200, ENOSPC)), (.sync, .error(EIO)), (.rename, .error(EIO)),
        (.rename, .afterwards(EIO)), (.syncFolder, .error(EIO)),
    ]

    private let system = SystemFiles()
    private let state = Locked<(faults: [Call: (String) -> Fault?], counts: [Call: Int], sequence: [String])>(
        ([:], [:], []))
    private let descriptors = Locked<Set<CInt>>([])

    /// Replaces calls of a kind; nil restores the system's call.
    func set(_ call: Call, _ fault: (@Sendable (_ path: String) -> Fault?)?) {
        state.withLock { $0.faults[call] = fault }
    }

    /// How many calls of a kind were made.
    func count(_ call: Call) -> Int { state.withLock { $0.counts[call] ?? 0 } }

    /// The calls that change something, in order, as `sync 0000000001.segment`.
    var sequence: [String] { state.withLock { $0.sequence } }

    func forget() { state.withLock { ($0.counts, $0.sequence) = ([:], []) } }

    private func fault(_ call: Call, _ path: String) -> Fault? {
        let fault = state.withLock { state -> ((String) -> Fault?)? in
            state.counts[call, default: 0] += 1
            if call != .read { state.sequence.append("\(call) \((path as NSString).lastPathComponent)") }
            return state.faults[call]
        }
        return fault?(path)
    }

    private func run<Result>(_ call: Call, _ path: String, _ body: () throws -> Result) throws -> Result {
        switch fault(call, path) {
        case nil, .short, .partial: return try body()
        case .error(let code): throw SystemError.fake(code, path)
        case .afterwards(let code):
            _ = try body()
            throw SystemError.fake(code, path)
        case .wait(let semaphore):
            semaphore.wait()
            return try body()
        }
    }

    func create(_ path: String) throws -> CInt { try run(.create, path) { noted(try system.create(path)) } }

    func openForReading(_ path: String) throws -> CInt { noted(try system.openForReading(path)) }

    private func noted(_ descriptor: CInt) -> CInt {
        descriptors.withLock { _ = $0.insert(descriptor) }
        return descriptor
    }

    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, path: String) throws -> Int {
        switch fault(.write, path) {
        case nil, .wait, .afterwards: return try system.write(descriptor, bytes, path: path)
        case .error(let code): throw SystemError.fake(code, path)
        case .short(let count):
            return try system.write(
                descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(max(1, count))), path: path)
        case .partial(let count, let code):
            if count > 0 {
                _ = try system.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(count)), path: path)
            }
            throw SystemError.fake(code, path)
        }
    }

    func read(_ descriptor: CInt, _ memory: UnsafeMutableRawBufferPointer, at offset: Int64, path: String) throws
        -> Int
    {
        try run(.read, path) { try system.read(descriptor, memory, at: offset, path: path) }
    }

    func sync(_ descriptor: CInt, path: String) throws {
        try run(.sync, path) { try system.sync(descriptor, path: path) }
    }

    func syncFolder(_ path: String) throws { try run(.syncFolder, path) { try system.syncFolder(path) } }

    func rename(_ path: String, to other: String) throws {
        try run(.rename, path) { try system.rename(path, to: other) }
    }

    func remove(_ path: String) throws { try run(.remove, path) { try system.remove(path) } }

    /// Closing a descriptor twice may close another file that has the number by then.
    func close(_ descriptor: CInt) {
        let isOpen = descriptors.withLock { $0.remove(descriptor) != nil }
        guard isOpen else {
            Issue.record("descriptor \(descriptor) is closed, and is not open")
            return
        }
        system.close(descriptor)
    }
}

extension SystemError {
    static func fake(_ code: CInt, _ path: String) -> SystemError {
        SystemError("fake", code: code, path: path)
    }
}
