#if Collector
    internal import EventLog
    internal import Foundation

    /// The segments of a folder as they are found at the opening, and how much of each may be trusted.
    struct Segments {
        let folder: StoreFolder
        let files: any StoreFiles
        /// In order.
        var found: [Found] = []
        /// Files that were put aside because nothing in them can be read.
        private(set) var unreadable: [String] = []

        struct Found {
            var header: SegmentHeader
            /// Bytes of the file.
            var length: Int64
            /// Where frames end that may count.
            var trusted: Int64
            /// Whether the header was made of what the segment holds, since its own was damaged.
            var isSalvaged = false
        }

        /// Reads all headers.
        ///
        /// - Throws: ``StoreError``.
        init(_ folder: StoreFolder, _ files: any StoreFiles, collector: CollectorID?) throws {
            (self.folder, self.files) = (folder, files)
            for number in try folder.segmentNumbers() {
                let path = folder.segment(number)
                guard var segment = try read(path, number) else {
                    unreadable.append(path)
                    continue
                }
                if segment.isSalvaged, let collector { segment.header.collector = collector }
                guard segment.header.number == number, collector == nil || segment.header.collector == collector else {
                    throw StoreError(
                        .foreign, "\(path) was written by another collector or under another name: move it away")
                }
                found.append(segment)
            }
            // A rewritten segment was synced as a whole before it got its name.
            for index in found.indices.dropLast() where found[index].header.generation == 0 {
                let next = found[index + 1]
                guard next.header.number == found[index].header.number + 1, !next.isSalvaged else { continue }
                found[index].trusted = min(
                    found[index].length, max(next.header.trustedBefore, Int64(SegmentHeader.length)))
            }
        }

        /// No segments, to scan some that are known.
        init(_ folder: StoreFolder, _ files: any StoreFiles) { (self.folder, self.files) = (folder, files) }

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
                throw StoreError(.newerVersion, "\(path) was written by a newer version: update this program")
            case .damaged:
                // The marker stands at the start of the first frame, too.
                guard head.count == SegmentHeader.length + FrameHeader.length else { return nil }
                let marker = head.withUnsafeBytes {
                    UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: SegmentHeader.length, as: UInt64.self))
                }
                var header = SegmentHeader(
                    number: number, collector: CollectorID(bytes: []), marker: marker, firstFrame: 1,
                    trustedBefore: length,
                    createdAt: 0)
                let scanner = SegmentScanner(header, path: path, descriptor, files, to: length)
                guard let first = try scanner.frame(at: Int64(SegmentHeader.length)) else { return nil }
                header.firstFrame = first.number
                return Found(header: header, length: length, trusted: length, isSalvaged: true)
            }
        }

        /// Calls `body` with each intact frame of a segment from an offset on, up to its trusted end.
        ///
        /// - Returns: What is damaged, and where the last intact frame ends.
        /// - Throws: `SystemError`; whatever `body` throws.
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
                segment.header, path: path, descriptor, files, from: start, to: segment.trusted)
            while let frame = try scanner.next() { try body(frame) }
            return (scanner.damaged, scanner.intactEnd)
        }
    }
#endif
