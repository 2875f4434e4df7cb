/// `jsonl`: each line byte for byte, and a line feed. Lines are not read, only passed on.
struct JSONLinesFormat: LineFormat {
    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        output.append(contentsOf: line)
        output.append(UInt8(ascii: "\n"))
    }
}

/// `json-seq`: JSON text sequences (RFC 7464). A record separator (U+001E), the line byte for byte, a line feed; a
/// reader finds the next event after a torn one. Lines are not read, only passed on.
struct JSONSequenceFormat: LineFormat {
    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        output.append(0x1E)
        output.append(contentsOf: line)
        output.append(UInt8(ascii: "\n"))
    }
}
