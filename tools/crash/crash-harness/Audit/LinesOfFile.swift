import Foundation

/// The lines of a file, one in memory at a time.
final class LinesOfFile {
    private let file: UnsafeMutablePointer<FILE>
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0

    init(_ path: String) throws {
        guard let file = fopen(path, "re") else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.file = file
    }

    deinit {
        free(buffer)
        fclose(file)
    }

    /// The next line without its line feed; `isTorn` if it had none. Nil at the end.
    func next() -> (line: [UInt8], isTorn: Bool)? {
        let count = getline(&buffer, &capacity, file)
        guard count > 0, let buffer else { return nil }
        let bytes = UnsafeRawBufferPointer(start: buffer, count: count)
        let isTorn = bytes[count - 1] != UInt8(ascii: "\n")
        return ([UInt8](isTorn ? bytes[...] : bytes.dropLast()), isTorn)
    }
}
