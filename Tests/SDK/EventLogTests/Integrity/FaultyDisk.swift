import Foundation
import GRDBSQLite
import Primitives

/// A folder whose databases SQLite writes through a test file system. The file system knows which bytes an fsync has
/// written to the disk, and can make an fsync fail. As on a real system, the unwritten bytes count as written
/// afterwards.
final class FaultyDisk: Sendable {
    private struct File {
        /// Bytes that were written since the last fsync.
        var waiting = IndexSet()
        /// Bytes that an fsync could not write.
        var lost = IndexSet()
    }

    private struct State {
        var files: [String: File] = [:]
        /// The suffixes of the names whose next fsync fails.
        var failing: [String] = []
        var failureCount = 0
    }

    private let folder: String
    private let state = Locked(State())

    init(_ folder: String) {
        self.folder = folder
        FileSystem.register(self)
    }

    deinit { FileSystem.forget(self) }

    /// Makes the next fsync fail for each file with one of these suffixes.
    func failNextSync(of suffixes: String...) { state.withLock { $0.failing += suffixes } }

    var failureCount: Int { state.withLock { $0.failureCount } }

    /// Copies a database in the state that a power failure would leave now: without bytes that were never synced.
    func cutPower(_ database: String, copyTo target: String) throws {
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: database + suffix) {
            var bytes = try Data(contentsOf: URL(fileURLWithPath: database + suffix))
            let file = state.withLock { $0.files[database + suffix] ?? File() }
            for range in file.waiting.union(file.lost).rangeView {
                let range = range.clamped(to: 0..<bytes.count)
                bytes.replaceSubrange(range, with: Data(count: range.count))
            }
            try bytes.write(to: URL(fileURLWithPath: target + suffix))
        }
    }

    fileprivate func holds(_ path: String) -> Bool { path.hasPrefix(folder + "/") }

    fileprivate func wrote(_ range: Range<Int>, to path: String) {
        state.withLock { state in
            state.files[path, default: File()].waiting.insert(integersIn: range)
            state.files[path, default: File()].lost.remove(integersIn: range)
        }
    }

    fileprivate func cut(_ path: String, to size: Int) {
        state.withLock { state in
            guard size > 0 else { return state.files[path] = nil }
            state.files[path]?.waiting.remove(integersIn: size..<Int(Int32.max))
            state.files[path]?.lost.remove(integersIn: size..<Int(Int32.max))
        }
    }

    /// Whether the fsync succeeds.
    fileprivate func syncs(_ path: String) -> Bool {
        state.withLock { state in
            var file = state.files[path, default: File()]
            let failure = state.failing.firstIndex { path.hasSuffix($0) }
            if let failure {
                state.failing.remove(at: failure)
                state.failureCount += 1
                file.lost.formUnion(file.waiting)
            }
            file.waiting = []
            state.files[path] = file
            return failure == nil
        }
    }
}

/// SQLite's file system, with calls intercepted.
private enum FileSystem {
    private struct Table {
        var disks: [String: WeakDisk] = [:]
        var files: [OpaquePointer: OpenFile] = [:]
        /// SQLite's functions for a kind of file, and their replacements.
        var methods: [UnsafePointer<sqlite3_io_methods>: UnsafePointer<sqlite3_io_methods>] = [:]
    }

    private struct OpenFile {
        let disk: FaultyDisk
        let path: String
        let original: UnsafePointer<sqlite3_io_methods>
    }

    private struct WeakDisk: Sendable {
        weak var disk: FaultyDisk?
    }

    private static let table = Locked(Table())
    // Set once, before the first file is opened through it.
    private nonisolated(unsafe) static var original: UnsafeMutablePointer<sqlite3_vfs>?
    private static let ioError: CInt = SQLITE_IOERR | 4 << 8  // SQLITE_IOERR_FSYNC, a macro that Swift does not import.

    private static let isInstalled: Bool = {
        guard let found = sqlite3_vfs_find(nil) else { return false }
        original = found
        let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        own.initialize(to: found.pointee)
        own.pointee.zName = UnsafePointer(strdup("faulty-disk"))
        own.pointee.xOpen = { _, name, file, flags, outFlags in
            let code =
                FileSystem.original?.pointee.xOpen(FileSystem.original, name, file, flags, outFlags) ?? SQLITE_ERROR
            if code == SQLITE_OK, let name, let file { FileSystem.opened(String(cString: name), file) }
            return code
        }
        own.pointee.xDelete = { _, name, syncs in
            if let name { FileSystem.disk(of: String(cString: name))?.cut(String(cString: name), to: 0) }
            return FileSystem.original?.pointee.xDelete(FileSystem.original, name, syncs) ?? SQLITE_ERROR
        }
        return sqlite3_vfs_register(own, 1) == SQLITE_OK
    }()

    static func register(_ disk: FaultyDisk) {
        precondition(isInstalled, "SQLite has no file system")
        table.withLock { $0.disks["\(ObjectIdentifier(disk))"] = WeakDisk(disk: disk) }
    }

    static func forget(_ disk: FaultyDisk) { table.withLock { $0.disks["\(ObjectIdentifier(disk))"] = nil } }

    private static func disk(of path: String) -> FaultyDisk? {
        // The last reference to a disk must not be released within the lock, which its deinit acquires.
        let disks = table.withLock { table in table.disks.values.compactMap(\.disk) }
        return disks.first { $0.holds(path) }
    }

    private static func opened(_ path: String, _ file: UnsafeMutablePointer<sqlite3_file>) {
        guard let disk = disk(of: path), let original = file.pointee.pMethods else { return }
        file.pointee.pMethods = table.withLock { table in
            table.files[OpaquePointer(file)] = OpenFile(disk: disk, path: path, original: original)
            if let known = table.methods[original] { return known }
            let methods = ours(original)
            table.methods[original] = methods
            return methods
        }
    }

    private static func ours(_ original: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<sqlite3_io_methods> {
        let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        methods.initialize(to: original.pointee)
        methods.pointee.xWrite = { file, bytes, count, offset in
            guard let open = FileSystem.file(file) else { return SQLITE_ERROR }
            open.disk.wrote(Int(offset)..<Int(offset) + Int(count), to: open.path)
            return open.original.pointee.xWrite(file, bytes, count, offset)
        }
        methods.pointee.xTruncate = { file, size in
            guard let open = FileSystem.file(file) else { return SQLITE_ERROR }
            open.disk.cut(open.path, to: Int(size))
            return open.original.pointee.xTruncate(file, size)
        }
        methods.pointee.xSync = { file, flags in
            guard let open = FileSystem.file(file) else { return SQLITE_ERROR }
            return open.disk.syncs(open.path) ? open.original.pointee.xSync(file, flags) : FileSystem.ioError
        }
        methods.pointee.xClose = { file in
            guard let file, let open = FileSystem.file(file) else { return SQLITE_ERROR }
            FileSystem.table.withLock { $0.files[OpaquePointer(file)] = nil }
            return open.original.pointee.xClose(file)
        }
        return UnsafePointer(methods)
    }

    private static func file(_ file: UnsafeMutablePointer<sqlite3_file>?) -> OpenFile? {
        guard let file else { return nil }
        return table.withLock { $0.files[OpaquePointer(file)] }
    }
}
