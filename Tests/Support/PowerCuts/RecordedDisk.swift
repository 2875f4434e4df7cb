import Foundation
package import Primitives

/// The system's calls for the files of a folder, recorded, so that a test sees every state in which a power failure can
/// leave the folder. Until a file is synced, the end of its bytes may be missing or zeros; until the folder is synced,
/// any of its changes may be missing.
package final class RecordedDisk: FileCalls {
    /// A call by its kind.
    package enum Call: String, CaseIterable, Sendable {
        case create, write, sync, rename, syncFolder
    }

    /// A change of a name, which is on the disk only after the folder is synced.
    fileprivate enum Naming {
        case added(String, file: Int)
        case renamed(String, to: String, file: Int)
        case removed(String)
    }

    fileprivate struct File {
        var bytes: [UInt8] = []
        var syncedBytes: [UInt8] = []
        var isSynced = false
    }

    fileprivate struct State {
        var files: [File] = []
        /// The names in the folder, and those on the disk.
        var names: [String: Int] = [:]
        var syncedNames: [String: Int] = [:]
        var unsynced: [Naming] = []
        var descriptors: [CInt: Int] = [:]
        /// What a power failure can leave, at the start and after each call.
        var outcomes: [[String: Set<[UInt8]?>]] = []
        var calls: [Call] = []
    }

    private let system = SystemCalls()
    private let folder: String
    private let failing: Call?
    private let longestWrite: Int
    private let state = Locked(State())

    /// Starts with the files of a folder, which count as synced.
    ///
    /// - Parameters:
    ///   - failing: The call that fails, with `EIO`.
    ///   - longestWrite: The most bytes that a write writes.
    package init(_ folder: String, failing: Call? = nil, longestWrite: Int = .max) throws {
        self.folder = folder
        self.failing = failing
        self.longestWrite = longestWrite
        var state = State()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
            state.syncedNames["\(folder)/\(name)"] = state.files.count
            state.files.append(File(bytes: bytes, syncedBytes: bytes, isSynced: true))
        }
        state.names = state.syncedNames
        self.state.withLock {
            $0 = state
            $0.note()
        }
    }

    /// The calls that changed something, in order, without those that removed or closed a file.
    package var calls: [Call] { state.withLock { $0.calls } }

    /// What a file can contain after a power failure at any time; nil for no file.
    package func contents(of path: String) -> Set<[UInt8]?> {
        state.withLock { state in state.outcomes.reduce(into: []) { $0.formUnion($1[path] ?? [nil]) } }
    }

    /// What a file can contain after a power failure now; nil for no file.
    package func contentsNow(of path: String) -> Set<[UInt8]?> {
        state.withLock { $0.outcomes.last?[path] ?? [nil] }
    }

    private func run<Result>(_ call: Call, _ path: String, _ body: (inout State) throws -> Result) throws -> Result {
        try state.withLock { state in
            if call == failing { throw SystemError("\(call)", code: EIO, path: path) }
            let result = try body(&state)
            state.calls.append(call)
            state.note()
            return result
        }
    }

    package func create(_ path: String) throws -> CInt {
        try run(.create, path) { state in
            let descriptor = try system.create(path)
            state.descriptors[descriptor] = state.files.count
            state.names[path] = state.files.count
            state.unsynced.append(.added(path, file: state.files.count))
            state.files.append(File())
            return descriptor
        }
    }

    package func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, path: String) throws -> Int {
        try run(.write, path) { state in
            let part = UnsafeRawBufferPointer(rebasing: bytes.prefix(longestWrite))
            let count = try system.write(descriptor, part, path: path)
            state.change(descriptor) {
                $0.bytes += part.prefix(count)
                $0.isSynced = false
            }
            return count
        }
    }

    package func sync(_ descriptor: CInt, path: String) throws {
        try run(.sync, path) { state in
            try system.sync(descriptor, path: path)
            state.change(descriptor) {
                $0.syncedBytes = $0.bytes
                $0.isSynced = true
            }
        }
    }

    package func syncFolder(_ path: String) throws {
        try run(.syncFolder, path) { state in
            try system.syncFolder(path)
            guard path == folder else { return }
            state.syncedNames = state.names
            state.unsynced = []
        }
    }

    package func rename(_ path: String, to other: String) throws {
        try run(.rename, path) { state in
            try system.rename(path, to: other)
            guard let file = state.names.removeValue(forKey: path) else { return }
            state.names[other] = file
            state.unsynced.append(.renamed(path, to: other, file: file))
        }
    }

    package func remove(_ path: String) throws {
        try state.withLock { state in
            try system.remove(path)
            if state.names.removeValue(forKey: path) != nil { state.unsynced.append(.removed(path)) }
            state.note()
        }
    }

    package func close(_ descriptor: CInt) {
        state.withLock { $0.descriptors[descriptor] = nil }
        system.close(descriptor)
    }
}

fileprivate extension RecordedDisk.State {
    mutating func change(_ descriptor: CInt, _ body: (inout RecordedDisk.File) -> Void) {
        if let file = descriptors[descriptor] { body(&files[file]) }
    }

    /// Adds what a power failure can leave now.
    mutating func note() {
        var outcome: [String: Set<[UInt8]?>] = [:]
        let paths = Set(names.keys).union(syncedNames.keys)
        for combination in 0..<(1 << unsynced.count) {
            var found = syncedNames
            for (index, naming) in unsynced.enumerated() where combination >> index & 1 == 1 {
                switch naming {
                case .added(let path, let file): found[path] = file
                case .renamed(let path, let other, let file):
                    found[path] = nil
                    found[other] = file
                case .removed(let path): found[path] = nil
                }
            }
            for path in paths {
                outcome[path, default: []].formUnion(found[path].map { files[$0].remains } ?? [nil])
            }
        }
        outcomes.append(outcome)
    }
}

fileprivate extension RecordedDisk.File {
    /// What a power failure can leave of the bytes: of those that are not synced, only some, or zeros.
    var remains: Set<[UInt8]?> {
        if isSynced { return [bytes] }
        var remains: Set<[UInt8]?> = []
        for count in syncedBytes.count...bytes.count {
            remains.insert(Array(bytes.prefix(count)))
            remains.insert(bytes.prefix(count) + [UInt8](repeating: 0, count: bytes.count - count))
        }
        return remains
    }
}
