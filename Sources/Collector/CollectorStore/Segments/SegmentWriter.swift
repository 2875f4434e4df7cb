#if Collector
    internal import EventLog
    internal import Foundation

    /// The segment that frames are appended to. For one thread.
    final class SegmentWriter {
        let header: SegmentHeader
        let path: String
        private let files: any StoreFiles
        private let descriptor: CInt
        /// The segment's length as of the last successful sync: what may be trusted of it.
        private(set) var syncedLength = Int64(SegmentHeader.length)

        /// Makes a segment. It is on the disk, and so is its name, when this returns. It gets the name when its header is on
        /// the disk: a collector that is killed before leaves a draft.
        ///
        /// - Throws: `SystemError`. A file may be left behind then; its number is not used again.
        init(_ header: SegmentHeader, in folder: StoreFolder, _ files: any StoreFiles) throws {
            (self.header, self.files, path) = (header, files, folder.segment(header.number))
            let draft = path + StoreFolder.draftSuffix
            descriptor = try files.create(draft)
            // From here on an error closes the descriptor, too: everything is initialised, so that `deinit` runs.
            try header.bytes.withUnsafeBytes { try files.writeAll(descriptor, $0, path: draft) }
            try files.sync(descriptor, path: draft)
            try files.rename(draft, to: path)
            try files.syncFolder(folder.segments)
        }

        deinit { files.close(descriptor) }

        /// Appends frames, and returns when they are on the disk. After an error the segment must not be used again: what the
        /// system could not write it may have dropped, and the next sync would not say so
        /// (https://wiki.postgresql.org/wiki/Fsync_Errors).
        ///
        /// - Throws: `SystemError`.
        func append(_ frames: [UInt8]) throws {
            try frames.withUnsafeBytes { try files.writeAll(descriptor, $0, path: path) }
            try files.sync(descriptor, path: path)
            syncedLength += Int64(frames.count)
        }
    }
#endif
