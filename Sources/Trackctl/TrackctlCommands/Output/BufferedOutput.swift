internal import Foundation
internal import LogFiles
internal import TextRendering

/// Writes lines to a descriptor in blocks of 256 KiB, each optionally compressed.
final class BufferedOutput {
    private static let blockSize = 256 << 10

    /// The output's name in messages.
    let name: String
    let descriptor: Int32
    private let compresses: Bool
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 64)
    private var count = 0
    /// Writes blocks larger than the buffer; nil to write them synchronously.
    private let background: BackgroundWriter?
    private let isForTerminal: Bool
    private var terminalText = TerminalText()

    /// - Parameters:
    /// - compresses: Whether each block becomes a gzip member.
    /// - isForTerminal: Whether to escape control characters.
    /// - overlaps: Whether to write large blocks in the background. The descriptor must stay open while this object
    ///   exists.
    init(
        descriptor: Int32, name: String, compresses: Bool = false, isForTerminal: Bool = false, overlaps: Bool = false
    ) {
        self.isForTerminal = isForTerminal
        self.descriptor = descriptor
        self.name = name
        self.compresses = compresses
        background = overlaps && !compresses ? BackgroundWriter(descriptor: descriptor, name: name) : nil
    }

    deinit { block.deallocate() }

    /// Standard output. On a terminal, control characters are escaped; otherwise, the bytes stay unchanged.
    ///
    /// - Parameter isPrintable: Whether the output contains control characters on purpose only, such as colors.
    static func standardOutput(isPrintable: Bool = false) -> BufferedOutput {
        BufferedOutput(
            descriptor: StandardStreams.current.output, name: "standard output",
            isForTerminal: !isPrintable && Terminal.isOutput,
            overlaps: true)
    }

    /// Appends a line and a line feed.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func write(line: some Sequence<UInt8>) throws {
        try Array(line).withUnsafeBytes { try write(line: $0) }
    }

    /// Appends a line from memory and a line feed.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func write(line: UnsafeRawBufferPointer) throws {
        // Check a carriage return together with the line feed after it.
        guard !isForTerminal else { return try write(Array(line) + [UInt8(ascii: "\n")]) }
        if count + line.count + 1 > block.count {
            try flush()
            if line.count + 1 > block.count { try pass(line) }
        }
        if line.count < block.count {
            UnsafeMutableRawBufferPointer(rebasing: block[count...]).copyMemory(from: line)
            count += line.count
        }
        block[count] = UInt8(ascii: "\n")
        count += 1
    }

    /// Appends bytes, which must end with a complete character.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`, also for earlier bytes.
    func write(_ bytes: [UInt8]) throws {
        guard isForTerminal else { return try add(bytes) }
        var shown: [UInt8] = []
        bytes.withUnsafeBytes { terminalText.append($0, to: &shown) }
        try add(shown)
    }

    private func add(_ bytes: [UInt8]) throws {
        if count + bytes.count > block.count {
            if count > 0 { try flush() }
            if bytes.count > block.count {
                if let background { return try background.write(bytes) }
                return try bytes.withUnsafeBytes { try pass($0) }
            }
        }
        UnsafeMutableRawBufferPointer(rebasing: block[count...]).copyBytes(from: bytes)
        count += bytes.count
    }

    /// Writes the buffer to the descriptor.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func flush() throws {
        let full = UnsafeRawBufferPointer(rebasing: block[..<count])
        count = 0
        try pass(full)
    }

    private func pass(_ bytes: UnsafeRawBufferPointer) throws {
        try background?.finish()
        guard compresses, !bytes.isEmpty else {
            return try DescriptorBytes.write(bytes, to: descriptor, name: name)
        }
        try GzipMember.compress(bytes).withUnsafeBytes {
            try DescriptorBytes.write($0, to: descriptor, name: name)
        }
    }
}
