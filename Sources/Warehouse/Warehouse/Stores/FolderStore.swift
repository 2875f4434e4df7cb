internal import EventLog
internal import EventModel
internal import Foundation
internal import Primitives
internal import StreamClient

/// Folders of zstd-compressed JSON lines, by the hour in which the collectors received the events.
///
/// | path | contents |
/// |---|---|
/// | `events/dt=2015-01-01/hour=00/3-17.jsonl.zst` | the block's rows of `events` |
/// | `numbers/dt=2015-01-01/3-17.jsonl.zst` | its rows of `numbers` |
/// | `manifests/3/17.json` | its files with their digests, and its ranges with their hashes |
/// | `stream` | when the stream was created, which identifies it |
///
/// Each file is written under a draft name, synced, and renamed; the manifest last. A block with a manifest is complete.
/// A block that is written again has the same bytes, so a crash never leaves an event twice.
package final class FolderStore: WarehouseStore {
    private let folder: String

    /// Creates a store. Writes nothing.
    package init(folder: String) { self.folder = folder }

    package var name: String { folder }

    package func prepare(stream: String) throws(LoaderError) {
        try writing {
            for path in ["", "/events", "/numbers", "/manifests"] { try make(folder + path) }
            guard let known = FileManager.default.contents(atPath: "\(folder)/stream") else {
                return try replace("stream", with: Array("\(stream)\n".utf8))
            }
            guard known == Data("\(stream)\n".utf8) else { throw LoaderError.otherStream(name) }
        }
    }

    package func write(_ block: Block, isInDoubt: Bool) throws(LoaderError) {
        let manifest = "manifests/\(block.cut.partition)/\(block.cut.number).json"
        try writing {
            // Maintenance exchanges the folder of an hour while it holds this lock exclusively.
            let lock = try FolderLock("\(folder)/.files.lock", LOCK_SH)
            defer { lock.close() }
            // Compaction may have replaced the files of a complete block.
            guard !FileManager.default.fileExists(atPath: "\(folder)/\(manifest)") else { return }
            var files: [BlockManifest.File] = []
            for group in block.events {
                let (day, hour) = Self.names(ofHour: group.hour)
                files.append(
                    try write(group, of: .events, to: "events/dt=\(day)/hour=\(hour)/\(block.id).jsonl.zst"))
            }
            for (day, groups) in Self.byDay(block.numbers) {
                var all = Block.RowGroup(hour: groups[0].hour)
                for group in groups {
                    all.text += group.text
                    all.count += group.count
                }
                files.append(try write(all, of: .numbers, to: "numbers/dt=\(day)/\(block.id).jsonl.zst"))
            }
            try make("\(folder)/manifests/\(block.cut.partition)")
            let text = BlockManifest(block, files: files).text
            try replace(manifest, with: text)
        }
    }

    // MARK: Names

    /// The names of the folders of an hour since 1970, in UTC: `2015-01-01` and `00`.
    private static func names(ofHour hour: Int64) -> (day: String, hour: String) {
        let text = EventTime(clampedSeconds: hour * 3600).rfc3339
        return (String(text.prefix(10)), String(text.dropFirst(11).prefix(2)))
    }

    private static func byDay(_ groups: [Block.RowGroup]) -> [(day: String, groups: [Block.RowGroup])] {
        var days: [(day: String, groups: [Block.RowGroup])] = []
        for group in groups {
            let day = names(ofHour: group.hour).day
            if days.last?.day == day {
                days[days.count - 1].groups.append(group)
            } else {
                days.append((day, [group]))
            }
        }
        return days
    }

    // MARK: Files

    private func write(
        _ group: Block.RowGroup, of table: BlockManifest.Table, to path: String
    ) throws -> BlockManifest.File {
        var parent = folder
        for name in path.split(separator: "/").dropLast() {
            parent += "/\(name)"
            try make(parent)
        }
        let bytes = try RowFile.compress(group.text)
        try replace(path, with: bytes)
        return BlockManifest.File(
            path: path, table: table, rows: group.count, bytes: Int64(bytes.count),
            sha256: SHA256.bytes(of: bytes).hexadecimal)
    }

    private func make(_ path: String) throws {
        if try PrivateFile.makeFolder(path) { try SystemCalls().syncFolder(of: path) }
    }

    /// Writes a file so that it is complete or absent.
    private func replace(_ path: String, with bytes: [UInt8]) throws {
        let target = "\(folder)/\(path)"
        let parent = (target as NSString).deletingLastPathComponent
        let draft = "\(parent)/.\((target as NSString).lastPathComponent).draft"
        try SystemCalls().replace(target, with: bytes, draft: draft)
    }

    private func writing(_ body: () throws -> Void) throws(LoaderError) {
        do { try body() } catch let error as LoaderError { throw error } catch {
            throw LoaderError(
                .cannotOpen, "cannot write to \(folder): \(error); check its owner and the free space",
                underlyingError: error)
        }
    }
}
