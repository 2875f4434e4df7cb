internal import LogFiles
internal import LogReplay

/// Puts the lines that dead letters hold in the place of the letters.
struct DeadLetterOpener {
    /// The input that is being read, and how many lines of it were seen.
    private var input = -1
    private var lines: Int64 = 0

    /// Opens the letters of a chunk.
    ///
    /// - Parameter fault: Told of each line that is no letter.
    mutating func open(_ chunk: inout LineChunk, name: String, fault: (InputFault) -> Void) {
        if chunk.input != input { (input, lines) = (chunk.input, 0) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(chunk.bytes.count)
        var rows: [LineChunk.Row] = []
        chunk.forEachLine { line in
            lines += 1
            do {
                if line.isTorn { throw InputFault.torn(input: name, line: lines) }
                if line.bytes.isEmpty { throw InputFault.empty(input: name, line: lines) }
                let start = bytes.count
                bytes += try DeadLetter.line(of: line.bytes)
                rows.append(LineChunk.Row(start: start, end: bytes.count, number: lines))
            } catch {
                fault(error as? InputFault ?? InputFault(error, input: name, line: lines))
            }
            return true
        }
        chunk.bytes = bytes
        chunk.rows = rows
    }
}
