internal import Foundation
internal import Primitives

/// The segment that frames are appended to. For one thread.
final class SegmentWriter {
    let header: SegmentHeader
    let path: String
    private let files: any StoreFiles
    private let descriptor: CInt
    /// The segment's length at the last successful sync: its valid length.
    private(set) var syncedLength = Int64(SegmentHeader.length)

    /// Creates a segment. When this returns, the segment and its name are synced. It is renamed only after its
    /// header is synced: a collector that is killed earlier leaves a draft.
    ///
    /// - Throws: `SystemError`. A file may remain; its number is not used again.
    init(_ header: SegmentHeader, in folder: StoreFolder, _ files: any StoreFiles) throws {
        self.header = header
        self.files = files
        path = folder.segment(header.number)
        let draft = path + StoreFolder.draftSuffix
        descriptor = try files.create(draft)
        // All properties are initialized, so `deinit` closes the descriptor after an error.
        try header.bytes.withUnsafeBytes { try files.writeAll(descriptor, $0, path: draft) }
        try files.publish(draft, as: path, syncing: descriptor)
    }

    deinit { files.close(descriptor) }

    /// Appends frames and syncs them. After an error, do not use the segment again: the system may have dropped
    /// pages that it could not write, and the next sync would not report that
    /// (https://wiki.postgresql.org/wiki/Fsync_Errors).
    ///
    /// - Throws: `SystemError`.
    func append(_ frames: [UInt8]) throws {
        try frames.withUnsafeBytes { try files.writeAll(descriptor, $0, path: path) }
        try files.sync(descriptor, path: path)
        syncedLength += Int64(frames.count)
    }
}
