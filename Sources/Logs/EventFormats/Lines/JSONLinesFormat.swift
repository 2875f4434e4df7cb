/// `jsonl`: each line byte for byte, and a line feed. Lines are not read, only passed on.
struct JSONLinesFormat: LineFormat {
    mutating func append(_ line: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        output.append(contentsOf: line)
        output.append(UInt8(ascii: "\n"))
    }
}
