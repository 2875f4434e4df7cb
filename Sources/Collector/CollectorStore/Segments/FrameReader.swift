internal import Primitives

/// Reads frames at their indexed locations. Keeps the last segment open, so that neighbours cost no further calls.
/// Not thread-safe.
final class FrameReader {
    private let folder: StoreFolder
    private let files: any StoreFiles
    private var segment: Opened?

    private struct Opened {
        let number: Int64
        let path: String
        let descriptor: CInt
        let header: SegmentHeader
    }

    init(_ folder: StoreFolder, _ files: any StoreFiles) {
        self.folder = folder
        self.files = files
    }

    deinit { close() }

    /// Reads the frame of a batch.
    ///
    /// - Throws: ``StoreError`` with `damaged` if the batch's frame is not at the location; `SystemError`.
    func batch(_ number: Int64, at location: FrameLocation) throws -> BatchFrame {
        guard case .batch(let batch)? = try content(number, at: location) else { throw damaged(number, location) }
        return batch
    }

    /// Reads the frame of an erasure.
    ///
    /// - Throws: As ``batch(_:at:)``.
    func erasure(_ number: Int64, at location: FrameLocation) throws -> ErasureFrame {
        guard case .erasure(let erasure)? = try content(number, at: location) else {
            throw damaged(number, location)
        }
        return erasure
    }

    /// The content of a frame; nil if the frame is not at the location.
    private func content(_ number: Int64, at location: FrameLocation) throws -> FrameContent? {
        let segment = try opened(location.segment)
        let scanner = SegmentScanner(
            segment.header, path: segment.path, descriptor: segment.descriptor, files: files,
            to: location.offset + Int64(location.length))
        guard let frame = try scanner.frame(at: location.offset), frame.number == number else { return nil }
        return try frame.payload.withUnsafeBytes { try FrameContent(kind: frame.kind, $0) }
    }

    private func damaged(_ number: Int64, _ location: FrameLocation) -> StoreError {
        StoreError(
            .damaged, "\(folder.segment(location.segment)): frame \(number) is damaged; run 'collector doctor'")
    }

    private func opened(_ number: Int64) throws -> Opened {
        if let segment, segment.number == number { return segment }
        close()
        let path = folder.segment(number)
        let descriptor = try files.openForReading(path)
        do {
            let start = try files.read(descriptor, at: 0, count: SegmentHeader.length, path: path)
            guard case .header(let header) = SegmentHeader.read(start) else {
                throw StoreError(.damaged, "\(path): its header is damaged; run 'collector doctor'")
            }
            let opened = Opened(number: number, path: path, descriptor: descriptor, header: header)
            segment = opened
            return opened
        } catch {
            files.close(descriptor)
            throw error
        }
    }

    private func close() {
        if let segment { files.close(segment.descriptor) }
        segment = nil
    }
}
