internal import Foundation
internal import LogFiles
internal import Primitives

/// Finishes or removes what killed runs of `tools/warehouse/compact` have left; `compaction.py` explains the steps.
struct UnfinishedCompactions {
    let folder: LoaderFolder
    let calls: any FileCalls
    /// How long readers may use a listing of the folder, from the exchange on.
    let grace: Duration

    /// - Throws: ``DamagedFile``, `SystemError`, `LoaderError`.
    func finish() throws {
        for name in folder.names(in: ".compaction") {
            let work = ".compaction/\(name)"
            guard try isExchanged(work, name) else {
                try folder.delete(work, calls)
                continue
            }
            try publish(work, name)
            try removeOld(work, name)
        }
    }

    private func published(_ name: String) -> String { "compactions/\(name).json" }

    private func isExchanged(_ work: String, _ name: String) throws -> Bool {
        if folder.exists(published(name)) { return true }
        guard folder.exists("\(work)/record.json") else { return false }
        let record = try folder.decoded("\(work)/record.json", CompactionRecord.init)
        return !folder.exists("\(work)/hour/\(Self.name(of: record.parquet.path))")
    }

    private func publish(_ work: String, _ name: String) throws {
        guard !folder.exists(published(name)) else { return }
        try folder.make("compactions", calls)
        try calls.rename(folder.full("\(work)/record.json"), to: folder.full(published(name)))
        try calls.syncFolder(of: folder.full(published(name)))
        try calls.syncFolder(folder.full(work))
    }

    /// Waits for readers, and deletes the folder with the files that were compacted.
    private func removeOld(_ work: String, _ name: String) throws {
        let record = try folder.decoded(published(name), CompactionRecord.init)
        let compacted = Set(record.files.map { Self.name(of: $0.path) })
        let current = (record.parquet.path as NSString).deletingLastPathComponent
        try waitForReaders(name)
        let old = "\(work)/hour"
        while folder.exists(old) {
            try moveLate(from: old, to: current, except: compacted)
            for name in folder.names(in: old) where compacted.contains(name) || folder.exists("\(current)/\(name)") {
                try calls.remove(folder.full("\(old)/\(name)"))
            }
            guard rmdir(folder.full(old)) == 0 || errno == ENOTEMPTY else {
                throw SystemError("rmdir", path: folder.full(old))
            }
        }
        try folder.delete(work, calls)
    }

    /// The last change of the record's inode is its rename, after the exchange.
    private func waitForReaders(_ name: String) throws {
        var status = stat()
        guard lstat(folder.full(published(name)), &status) == 0 else {
            throw SystemError("lstat", path: folder.full(published(name)))
        }
        #if canImport(Darwin)
            let changed = status.st_ctimespec
        #else
            let changed = status.st_ctim
        #endif
        let left = grace - (.seconds(time(nil)) - .seconds(changed.tv_sec))
        guard left <= .zero || Interruption.wait(left) else { throw LoaderError.interruptedErasure }
    }

    /// Moves files that a loader without the lock has added to the old folder.
    private func moveLate(from old: String, to current: String, except compacted: Set<String>) throws {
        for name in folder.names(in: old) where !compacted.contains(name) {
            let from = folder.full("\(old)/\(name)")
            // link(2) never replaces a file: the new folder may have a link or a later file with this name.
            if link(from, folder.full("\(current)/\(name)")) == 0 {
                try calls.remove(from)
            } else if errno != EEXIST && errno != ENOENT {
                throw SystemError("link", path: from)
            }
        }
        try calls.syncFolder(folder.full(current))
        try calls.syncFolder(folder.full(old))
    }

    private static func name(of path: String) -> String { (path as NSString).lastPathComponent }
}
