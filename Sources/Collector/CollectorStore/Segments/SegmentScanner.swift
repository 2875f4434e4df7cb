/// A frame and its location.
struct ScannedFrame {
    var number: Int64
    var kind: UInt32
    var offset: Int64
    /// In bytes, header included.
    var length: Int
    var payload: [UInt8]
}

/// A part of a segment without an intact frame.
struct DamagedPart: Equatable {
    var range: Range<Int64>
    /// Whether intact frames follow. If not, the part may be the torn end of a write.
    var isFollowed: Bool
}

/// Reads the frames of a segment in order, and verifies their checksums.
///
/// After damage it searches for the segment's marker, so later frames are found. Memory: one frame.
struct SegmentScanner {
    let header: SegmentHeader
    let path: String
    private let files: any StoreFiles
    private let descriptor: CInt
    /// The offset at which reading ends.
    private let end: Int64
    /// The offset of the next expected frame.
    private(set) var offset: Int64
    /// The parts skipped so far. The last one may still be followed by frames.
    private(set) var damaged: [DamagedPart] = []
    /// The end of the last intact frame.
    private(set) var intactEnd: Int64

    /// - Parameters:
    ///   - descriptor: Open for reading; the caller closes it.
    ///   - start: The offset of a frame.
    ///   - end: The valid length.
    init(
        _ header: SegmentHeader, path: String, descriptor: CInt, files: any StoreFiles,
        from start: Int64 = Int64(SegmentHeader.length), to end: Int64
    ) {
        self.header = header
        self.path = path
        self.descriptor = descriptor
        self.files = files
        offset = start
        intactEnd = start
        self.end = max(start, end)
    }

    /// Reads the next intact frame; nil at the end.
    ///
    /// - Throws: `SystemError` if the file is unreadable.
    mutating func next() throws -> ScannedFrame? {
        while offset < end {
            if let frame = try frame(at: offset) {
                if let last = damaged.last, last.range.upperBound == offset {
                    damaged[damaged.count - 1].isFollowed = true
                }
                offset += Int64(frame.length)
                intactEnd = offset
                return frame
            }
            let start = offset
            offset = try nextMarker(after: offset)
            if let last = damaged.last, last.range.upperBound == start {
                damaged[damaged.count - 1].range = last.range.lowerBound..<offset
            } else {
                damaged.append(DamagedPart(range: start..<offset, isFollowed: false))
            }
        }
        return nil
    }

    /// The frame at an offset; nil if there is no intact frame.
    func frame(at offset: Int64) throws -> ScannedFrame? {
        let start = try files.read(descriptor, at: offset, count: FrameHeader.length, path: path)
        guard start.count == FrameHeader.length,
            let found = start.withUnsafeBytes({ FrameHeader($0, marker: header.marker) }),
            offset + Int64(FrameHeader.length + found.payloadLength) <= end
        else { return nil }
        let payload = try files.read(
            descriptor, at: offset + Int64(FrameHeader.length), count: found.payloadLength, path: path)
        let isIntact = start.withUnsafeBytes { start in
            payload.withUnsafeBytes { FrameHeader.isIntact(start, $0, checksum: found.checksum) }
        }
        guard payload.count == found.payloadLength, isIntact else { return nil }
        return ScannedFrame(
            number: found.number, kind: found.kind, offset: offset, length: FrameHeader.length + payload.count,
            payload: payload)
    }

    /// The offset of the next marker, or the end.
    private func nextMarker(after offset: Int64) throws -> Int64 {
        let marker = withUnsafeBytes(of: header.marker.littleEndian) { Array($0) }
        var start = offset + 1
        while start < end {
            let block = try files.read(descriptor, at: start, count: Int(min(1 << 16, end - start)), path: path)
            guard block.count >= marker.count else { return end }
            for index in 0...(block.count - marker.count)
            where block[index] == marker[0] && block[index..<index + 8].elementsEqual(marker) {
                return start + Int64(index)
            }
            start += Int64(block.count - marker.count + 1)
        }
        return end
    }
}
