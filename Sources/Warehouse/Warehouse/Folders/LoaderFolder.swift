internal import DeliveryProtocol
internal import EventLog
internal import Foundation
internal import JSONLines
internal import Primitives

/// The files of a folder that loaders write; see ``FolderStore``. Compaction and erasure add others:
///
/// | path | contents |
/// |---|---|
/// | `events/dt=2015-01-01/hour=00/compacted-2.parquet` | rows of several blocks |
/// | `numbers/dt=2015-01-01/compacted-2.parquet` | rows of several blocks |
/// | `compactions/2015-01-01-00-2.json` | which files became which Parquet file |
/// | `numbers/dt=2015-01-01/erased-3.jsonl.zst` | the numbers of erased rows |
/// | `erasures/3.json` | the digests of these files |
/// | `.compaction`, `.erasure` | unfinished changes |
///
/// All paths are relative to the folder.
struct LoaderFolder {
    let root: String

    func full(_ path: String) -> String { "\(root)/\(path)" }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: full(path)) }

    /// The names in a folder, sorted; none if it does not exist.
    func names(in path: String) -> [String] {
        // Without the folder there are no names, and a folder that cannot be read cannot be changed either.
        ((try? FileManager.default.contentsOfDirectory(atPath: full(path))) ?? []).sorted()
    }

    /// The files of a table, in the order of their paths.
    func files(_ table: BlockManifest.Table, _ suffix: String) -> [String] {
        var folders = [table.rawValue]
        for _ in 0..<(table == .events ? 2 : 1) {
            folders = folders.flatMap { folder in names(in: folder).map { "\(folder)/\($0)" } }
        }
        return folders.flatMap { folder in
            names(in: folder).filter { $0.hasSuffix(suffix) }.map { "\(folder)/\($0)" }
        }
    }

    static func manifestPath(_ block: String) -> String {
        "manifests/\(block.replacing("-", with: "/")).json"
    }

    /// A block's manifest; nil if the block is not complete, or if it has no such name.
    ///
    /// - Throws: ``DamagedFile``.
    func manifest(_ block: String) throws -> BlockManifest? {
        let parts = block.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { ("0"..."9").contains($0) } }),
            exists(Self.manifestPath(block))
        else { return nil }
        return try decoded(Self.manifestPath(block)) { json throws(BatchHeaderError) in try BlockManifest(json) }
    }

    /// A file of JSON, decoded.
    ///
    /// - Throws: ``DamagedFile``; errors of Foundation.
    func decoded<Value>(
        _ path: String, _ decode: (JSONValue) throws(BatchHeaderError) -> Value
    ) throws -> Value {
        let data = try Data(contentsOf: URL(fileURLWithPath: full(path)))
        guard let json = JSONValue(validating: data) else { throw DamagedFile("\(path) is not JSON") }
        do throws(BatchHeaderError) { return try decode(json) } catch {
            throw DamagedFile("\(path): \(error.pointer) \(error.reason)")
        }
    }

    /// A file's size and SHA-256.
    func digest(_ path: String) throws -> FileDigest {
        let data = try Data(contentsOf: URL(fileURLWithPath: full(path)), options: .mappedIfSafe)
        var digest = [UInt8](repeating: 0, count: 32)
        digest.withUnsafeMutableBufferPointer { digest in
            guard let start = digest.baseAddress else { return }
            data.withUnsafeBytes { SHA256.write($0, to: start) }
        }
        return FileDigest(bytes: Int64(data.count), sha256: digest.hexadecimal)
    }

    /// Creates a folder with its parents, and syncs each parent that has a new name.
    ///
    /// - Throws: `SystemError`; an error about the owner.
    func make(_ path: String, _ calls: any FileCalls) throws {
        var made = ""
        for name in path.split(separator: "/") {
            made += made.isEmpty ? "\(name)" : "/\(name)"
            if !exists(made), try PrivateFile.makeFolder(full(made)) { try calls.syncFolder(of: full(made)) }
        }
    }

    /// Deletes a folder with its files.
    ///
    /// - Throws: `SystemError`.
    func delete(_ path: String, _ calls: any FileCalls) throws {
        for name in names(in: path) {
            let child = "\(path)/\(name)"
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: full(child), isDirectory: &isFolder), isFolder.boolValue {
                try delete(child, calls)
            } else {
                try calls.remove(full(child))
            }
        }
        guard rmdir(full(path)) == 0 || errno == ENOENT else { throw SystemError("rmdir", path: full(path)) }
    }
}

struct FileDigest {
    var bytes: Int64
    /// 64 hexadecimal digits.
    var sha256: String
}
