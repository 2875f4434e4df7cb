internal import EventLog
internal import Foundation
internal import GRDB
internal import Primitives

extension BatchStore {
    /// Copies everything acknowledged before the call to a new folder, which a collector can open. Submissions
    /// continue during the copy; the copy contains each of them completely or not at all.
    ///
    /// The copy is synced when this returns. Its file `collector` is written last: a folder without it is an
    /// incomplete backup.
    ///
    /// - Parameter path: The folder to create. Its parent must exist.
    /// - Throws: ``StoreError``. The files copied so far remain.
    package func backup(to path: String) async throws {
        try await maintenance.run {
            let target = StoreFolder(path: path)
            do {
                guard try PrivateFile.makeFolder(path) else {
                    throw StoreError(.cannotOpen, "\(path) already exists; use a new folder")
                }
                try PrivateFile.makeFolder(target.segments)
                // The index first, so that it is never ahead of the copied segments; opening the copy catches up.
                try copyIndex(to: target)
                let (last, written) = try await onWriter { ($0.last, $0.written) }
                var segments = try Segments(folder, options.files, collector: collectorID)
                segments.trust(last.trusted, of: last.number)
                for segment in segments.found where segment.header.number <= (written?.number ?? last.number) {
                    let number = segment.header.number
                    let length = number == written?.number ? written?.length : segment.trusted
                    try copy(folder.segment(number), to: target.segment(number), bytes: length ?? segment.trusted)
                }
                try options.files.syncFolder(target.segments)
                try copy(folder.identity, to: target.identity, bytes: .max)
                try options.files.syncFolder(path)
            } catch {
                throw StoreError.backingUp(path, error)
            }
        }
    }

    private func copyIndex(to target: StoreFolder) throws {
        try PrivateFile.makeIfMissing(target.index)
        let copy = try DatabaseQueue(path: target.index)
        try index.readers.withLock { $0 }.use { try $0.backup(to: copy) }
        try copy.close()
        try PrivateFile.tighten(target.indexFiles)
    }

    private func copy(_ path: String, to target: String, bytes: Int64) throws {
        let files = options.files
        let source = try files.openForReading(path)
        defer { files.close(source) }
        let descriptor = try files.create(target)
        defer { files.close(descriptor) }
        var offset: Int64 = 0
        while offset < bytes {
            let block = try files.read(source, at: offset, count: Int(min(1 << 20, bytes - offset)), path: path)
            if block.isEmpty { break }
            try block.withUnsafeBytes { try files.writeAll(descriptor, $0, path: target) }
            offset += Int64(block.count)
        }
        try files.sync(descriptor, path: target)
    }
}
