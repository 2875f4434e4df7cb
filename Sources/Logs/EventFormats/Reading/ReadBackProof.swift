internal import JSONSchema

/// Shows, line by line, that what was written can be read back.
struct ReadBackProof<Reader: EventReader>: Sendable {
    private var reader: Reader
    private var readBack: [UInt8] = []

    init(_ reader: Reader) { self.reader = reader }

    /// Whether the reader gives back the line, byte for byte.
    mutating func holds(_ written: ArraySlice<UInt8>, gives line: UnsafeRawBufferPointer) -> Bool {
        readBack.removeAll(keepingCapacity: true)
        do {
            try written.withUnsafeBytes { try reader.append($0, into: &readBack) }
        } catch {
            // The reader refuses a part, so it does not give back the line.
            return false
        }
        return readBack.withUnsafeBufferPointer { readBack in
            line.withMemoryRebound(to: UInt8.self) { Bytes.areEqual(readBack, $0) }
        }
    }
}
