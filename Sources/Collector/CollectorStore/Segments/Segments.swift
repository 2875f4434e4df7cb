internal import Foundation
internal import Primitives

/// The segments found while a folder is opened, and the valid length of each.
struct Segments {
    let folder: StoreFolder
    let files: any StoreFiles
    /// In order.
    var found: [Found] = []
    /// Files that were quarantined because nothing in them is readable.
    private(set) var unreadable: [String] = []

    struct Found {
        var header: SegmentHeader
        /// The size of the file.
        var length: Int64
        /// The end of the frames that may be valid.
        var trusted: Int64
        /// Whether the header was derived from the segment's frames, because it was damaged.
        var isSalvaged = false
    }

    /// Reads all headers.
    ///
    /// - Throws: ``StoreError``.
    init(_ folder: StoreFolder, _ files: any StoreFiles, collector: CollectorID?) throws {
        self.folder = folder
        self.files = files
        for number in try folder.segmentNumbers() {
            let path = folder.segment(number)
            guard var segment = try read(path, number) else {
                unreadable.append(path)
                continue
            }
            if segment.isSalvaged, let collector { segment.header.collector = collector }
            guard segment.header.number == number, collector == nil || segment.header.collector == collector else {
                throw StoreError(
                    .foreign, "\(path) was written by another collector, or was renamed; move it to another folder")
            }
            found.append(segment)
        }
        // A rewritten segment was completely synced before it was renamed.
        for index in found.indices.dropLast() where found[index].header.generation == 0 {
            let next = found[index + 1]
            guard next.header.number == found[index].header.number + 1, !next.isSalvaged else { continue }
            found[index].trusted = min(
                found[index].length, max(next.header.trustedBefore, Int64(SegmentHeader.length)))
        }
    }

    /// Starts without segments, to scan known ones.
    init(_ folder: StoreFolder, _ files: any StoreFiles) {
        self.folder = folder
        self.files = files
    }

    private func read(_ path: String, _ number: Int64) throws -> Found? {
        let descriptor = try files.openForReading(path)
        defer { files.close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("fstat", path: path) }
        let length = Int64(status.st_size)
        let head = try files.read(descriptor, at: 0, count: SegmentHeader.length + FrameHeader.length, path: path)
        switch SegmentHeader.read(head) {
        case .header(let header): return Found(header: header, length: length, trusted: length)
        case .newerVersion:
            throw StoreError(.newerVersion, "\(path) was written by a newer version; update the collector")
        case .damaged:
            // The first frame starts with the marker, too.
            guard head.count == SegmentHeader.length + FrameHeader.length else { return nil }
            let marker = head.withUnsafeBytes {
                UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: SegmentHeader.length, as: UInt64.self))
            }
            var header = SegmentHeader(
                number: number, collector: CollectorID(bytes: []), marker: marker, firstFrame: 1,
                trustedBefore: length,
                createdAt: 0)
            let scanner = SegmentScanner(header, path: path, descriptor: descriptor, files: files, to: length)
            guard let first = try scanner.frame(at: Int64(SegmentHeader.length)) else { return nil }
            header.firstFrame = first.number
            return Found(header: header, length: length, trusted: length, isSalvaged: true)
        }
    }

    /// Calls `body` with each intact frame of a segment from an offset on, up to its valid end.
    ///
    /// - Returns: The damaged parts, and the end of the last intact frame.
    /// - Throws: `SystemError`; errors of `body`.
    @discardableResult
    func scan(
        _ segment: Found, from start: Int64 = Int64(SegmentHeader.length), _ body: (ScannedFrame) throws -> Void
    )
        throws -> (damaged: [DamagedPart], intactEnd: Int64)
    {
        let path = folder.segment(segment.header.number)
        let descriptor = try files.openForReading(path)
        defer { files.close(descriptor) }
        var scanner = SegmentScanner(
            segment.header, path: path, descriptor: descriptor, files: files, from: start, to: segment.trusted)
        while let frame = try scanner.next() { try body(frame) }
        return (scanner.damaged, scanner.intactEnd)
    }
}
