#if Collector
    /// Reads single frames at their indexed location. Thread-safe.
    struct FrameReader {
        private let folder: StoreFolder
        private let files: any StoreFiles

        init(_ folder: StoreFolder, _ files: any StoreFiles) { (self.folder, self.files) = (folder, files) }

        /// Reads the frame of a batch.
        ///
        /// - Throws: ``StoreError`` with `damaged` if the batch's frame is not at the location; `SystemError`.
        func batch(_ number: Int64, at location: FrameLocation) throws -> BatchFrame {
            let path = folder.segment(location.segment)
            let descriptor = try files.openForReading(path)
            defer { files.close(descriptor) }
            guard
                case .header(let header) = SegmentHeader.read(
                    try files.read(descriptor, at: 0, count: SegmentHeader.length, path: path))
            else { throw StoreError(.damaged, "\(path): its header is damaged; run 'collector doctor'") }
            return try batch(number, at: location, descriptor, header, path)
        }

        func batch(
            _ number: Int64, at location: FrameLocation, _ descriptor: CInt, _ header: SegmentHeader, _ path: String
        ) throws -> BatchFrame {
            let scanner = SegmentScanner(
                header, path: path, descriptor, files, to: location.offset + Int64(location.length))
            guard let frame = try scanner.frame(at: location.offset), frame.number == number,
                case .batch(let batch)? = try frame.payload.withUnsafeBytes({ try FrameContent(kind: frame.kind, $0) })
            else {
                throw StoreError(.damaged, "\(path): frame \(number) is damaged; run 'collector doctor'")
            }
            return batch
        }
    }
#endif
