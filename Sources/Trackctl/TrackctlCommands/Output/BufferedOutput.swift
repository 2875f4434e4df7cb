internal import Foundation
internal import LogFiles

/// Writes lines to a descriptor in blocks of 256 KiB, each compressed if that is asked for.
final class BufferedOutput {
    private static let blockSize = 256 << 10

    /// What messages call it.
    let name: String
    let descriptor: Int32
    private let compresses: Bool
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 64)
    private var count = 0

    /// - Parameter compresses: Whether each block becomes a member of gzip.
    init(descriptor: Int32, name: String, compresses: Bool = false) {
        self.descriptor = descriptor
        self.name = name
        self.compresses = compresses
    }

    deinit { block.deallocate() }

    static func standardOutput() -> BufferedOutput {
        BufferedOutput(descriptor: StandardStreams.current.output, name: "standard output")
    }

    /// Adds a line and its line feed.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func write(line: some Sequence<UInt8>) throws {
        try Array(line).withUnsafeBytes { try write(line: $0) }
    }

    /// Adds a line, from where it lies, and its line feed.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func write(line: UnsafeRawBufferPointer) throws {
        if count + line.count + 1 > block.count {
            try flush()
            if line.count + 1 > block.count { try hand(line) }
        }
        if line.count < block.count {
            UnsafeMutableRawBufferPointer(rebasing: block[count...]).copyMemory(from: line)
            count += line.count
        }
        block[count] = UInt8(ascii: "\n")
        count += 1
    }

    /// Adds bytes.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func write(_ bytes: [UInt8]) throws {
        if count + bytes.count > block.count {
            try flush()
            if bytes.count > block.count {
                try bytes.withUnsafeBytes { try hand($0) }
                return
            }
        }
        UnsafeMutableRawBufferPointer(rebasing: block[count...]).copyBytes(from: bytes)
        count += bytes.count
    }

    /// Hands everything to the system.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func flush() throws {
        let full = UnsafeRawBufferPointer(rebasing: block[..<count])
        count = 0
        try hand(full)
    }

    private func hand(_ bytes: UnsafeRawBufferPointer) throws {
        guard compresses, !bytes.isEmpty else {
            return try DescriptorBytes.write(bytes, to: descriptor, name: name)
        }
        try GzipMember.compress(bytes).withUnsafeBytes {
            try DescriptorBytes.write($0, to: descriptor, name: name)
        }
    }
}
