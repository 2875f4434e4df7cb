internal import CommandSupport
internal import Foundation

/// Writes lines to a descriptor in blocks of 64 KiB.
final class BufferedOutput {
    private static let blockSize = 64 << 10

    /// What messages call it.
    let name: String
    let descriptor: Int32
    private var buffer: [UInt8] = []

    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
        buffer.reserveCapacity(Self.blockSize + (4 << 10))
    }

    static func standardOutput() -> BufferedOutput {
        BufferedOutput(descriptor: STDOUT_FILENO, name: "standard output")
    }

    /// Adds a line and its line feed.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func write(line: some Collection<UInt8>) throws {
        buffer.append(contentsOf: line)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.blockSize { try flush() }
    }

    /// Hands everything to the system.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        try buffer.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let written = Foundation.write(descriptor, part.baseAddress, part.count)
                if written < 0 {
                    if errno == EINTR { continue }
                    throw CommandFailure(writing: name, errno)
                }
                rest = rest.dropFirst(written)
            }
        }
    }
}
