/// The `jsonl` format: each line byte for byte, and a line feed. Lines are not parsed.
struct JSONLinesFormat: LineFormat {
    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        output.append(contentsOf: line)
        output.append(UInt8(ascii: "\n"))
    }
}

/// The `json-seq` format: JSON text sequences (RFC 7464). Each line is preceded by a record separator (U+001E), so
/// that readers can recover after a torn line. Lines are not parsed.
struct JSONSequenceFormat: LineFormat {
    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        output.append(0x1E)
        output.append(contentsOf: line)
        output.append(UInt8(ascii: "\n"))
    }
}
