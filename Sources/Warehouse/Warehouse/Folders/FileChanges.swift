internal import Foundation
internal import JSONLines
internal import Primitives

/// Files of a loader's folder that are replaced together: all or, before ``commit(isRecorded:)`` decides it, none.
///
/// 1. Drafts of the files are written to `.erasure/changes` and synced.
/// 2. `.erasure/changes/changes.json` lists their paths. From here on the change is decided.
/// 3. Each draft is renamed to its path. The folders are synced. `.erasure/changes` is deleted.
///
/// After a kill, ``recover(_:_:)`` deletes drafts without a list, and repeats step 3 otherwise: a draft that no longer exists has
/// been renamed. `tools/warehouse/compact` recovers in the same way.
struct FileChanges {
    private static let work = ".erasure/changes"
    private static let list = "changes.json"

    private let folder: LoaderFolder
    private let calls: any FileCalls
    private var paths: [String] = []

    /// - Throws: `SystemError`; an error about the owner.
    init(_ folder: LoaderFolder, _ calls: any FileCalls) throws {
        self.folder = folder
        self.calls = calls
        try folder.make(Self.work, calls)
    }

    /// With the extension, which DuckDB needs.
    private static func draft(_ index: Int, _ path: String) -> String {
        "\(index)-\((path as NSString).lastPathComponent)"
    }

    /// Adds a file with its bytes.
    ///
    /// - Parameter like: The file from which it gets its mode; by default, the one that it replaces.
    /// - Returns: The draft's path and digest.
    /// - Throws: `SystemError`.
    @discardableResult
    mutating func add(_ path: String, _ bytes: [UInt8], like: String? = nil) throws -> (
        path: String, digest: FileDigest
    ) {
        try add(path, like: like) { write in try bytes.withUnsafeBytes(write) }
    }

    /// Adds a file that `body` writes.
    ///
    /// - Throws: `SystemError`; everything that `body` throws.
    mutating func add(
        _ path: String, like: String? = nil,
        _ body: (_ write: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
    ) throws -> (path: String, digest: FileDigest) {
        let draft = "\(Self.work)/\(Self.draft(paths.count, path))"
        paths.append(path)
        let full = folder.full(draft)
        let descriptor = try calls.create(full)
        defer { calls.close(descriptor) }
        try body { try calls.writeAll(descriptor, $0, path: full) }
        var status = stat()
        guard lstat(folder.full(like ?? path), &status) == 0 else {
            throw SystemError("lstat", path: folder.full(like ?? path))
        }
        guard fchmod(descriptor, status.st_mode & 0o777) == 0 else { throw SystemError("fchmod", path: full) }
        try calls.sync(descriptor, path: full)
        return (draft, try folder.digest(draft))
    }

    /// Replaces the files.
    ///
    /// - Parameter isRecorded: Whether the next run finishes it after a kill.
    /// - Throws: `SystemError`.
    func commit(isRecorded: Bool = true) throws {
        for path in paths { try checkFileSystem(path) }
        try calls.syncFolder(folder.full(Self.work))
        if isRecorded {
            var json = JSONWriter()
            json.beginArray()
            for path in paths { json.string(path) }
            json.endArray()
            try calls.replace(
                folder.full("\(Self.work)/\(Self.list)"), with: json.bytes,
                draft: folder.full("\(Self.work)/.\(Self.list).draft"))
        }
        try Self.apply(paths, in: folder, calls)
    }

    /// rename(2) works within a file system only.
    private func checkFileSystem(_ path: String) throws {
        var parent = path
        repeat { parent = (parent as NSString).deletingLastPathComponent } while !folder.exists(parent)
        var there = stat()
        var here = stat()
        guard stat(folder.full(parent), &there) == 0, stat(folder.full(Self.work), &here) == 0 else {
            throw SystemError("stat", path: folder.full(parent))
        }
        guard there.st_dev == here.st_dev else { throw SystemError("rename", code: EXDEV, path: folder.full(parent)) }
    }

    /// Finishes the decided changes of a killed run, and removes others.
    ///
    /// - Throws: ``DamagedFile``, `SystemError`.
    static func recover(_ folder: LoaderFolder, _ calls: any FileCalls) throws {
        guard folder.exists(work) else { return }
        let paths =
            folder.exists("\(work)/\(list)")
            ? try folder.decoded("\(work)/\(list)") { json -> [String] in
                guard case .array(let paths) = json else { return [] }
                return paths.compactMap(\.stringValue)
            } : []
        try apply(paths, in: folder, calls)
    }

    private static func apply(_ paths: [String], in folder: LoaderFolder, _ calls: any FileCalls) throws {
        for (index, path) in paths.enumerated() {
            let draft = "\(work)/\(draft(index, path))"
            guard folder.exists(draft) else { continue }
            try folder.make((path as NSString).deletingLastPathComponent, calls)
            try calls.rename(folder.full(draft), to: folder.full(path))
        }
        for parent in Set(paths.map { ($0 as NSString).deletingLastPathComponent }).sorted() {
            try calls.syncFolder(folder.full(parent))
        }
        if !paths.isEmpty { try calls.syncFolder(folder.full(work)) }
        try folder.delete(work, calls)
    }
}
