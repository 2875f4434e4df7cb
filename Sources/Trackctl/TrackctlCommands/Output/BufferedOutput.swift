internal import Foundation
internal import LogFiles
internal import TextRendering

/// Writes lines to a descriptor in blocks of 256 KiB, each compressed if that is asked for.
final class BufferedOutput {
    private static let blockSize = 256 << 10

    /// What messages call it.
    let name: String
    let descriptor: Int32
    private let compresses: Bool
    private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 64)
    private var count = 0
    /// Writes what is larger than a block; nil if that is written here.
    private let background: BackgroundWriter?
    private let isForTerminal: Bool
    private var terminalText = TerminalText()

    /// - Parameters:
    ///   - compresses: Whether each block becomes a member of gzip.
    ///   - isForTerminal: Whether what would drive a terminal is shown as an escape.
    ///   - overlaps: Whether large blocks are written while the next are made: for a descriptor that stays open as long as
    ///     this lives.
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

    /// Standard output. On a terminal, what would drive it is shown as an escape; elsewhere the bytes stay what they are.
    ///
    /// - Parameter isPrintable: Whether what is written drives a terminal on purpose only, as colours do.
    static func standardOutput(isPrintable: Bool = false) -> BufferedOutput {
        BufferedOutput(
            descriptor: StandardStreams.current.output, name: "standard output",
            isForTerminal: !isPrintable && Terminal.isOutput,
            overlaps: true)
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
        // A carriage return is looked at together with the line feed behind it.
        guard !isForTerminal else { return try write(Array(line) + [UInt8(ascii: "\n")]) }
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

    /// Adds bytes, which end with a whole character.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`, for what was added before, too.
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
                return try bytes.withUnsafeBytes { try hand($0) }
            }
        }
        UnsafeMutableRawBufferPointer(rebasing: block[count...]).copyBytes(from: bytes)
        count += bytes.count
    }

    /// Hands everything to the system, and returns when it has it.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func flush() throws {
        let full = UnsafeRawBufferPointer(rebasing: block[..<count])
        count = 0
        try hand(full)
    }

    private func hand(_ bytes: UnsafeRawBufferPointer) throws {
        try background?.finish()
        guard compresses, !bytes.isEmpty else {
            return try DescriptorBytes.write(bytes, to: descriptor, name: name)
        }
        try GzipMember.compress(bytes).withUnsafeBytes {
            try DescriptorBytes.write($0, to: descriptor, name: name)
        }
    }
}
