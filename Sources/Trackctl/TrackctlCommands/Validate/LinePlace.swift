/// Where something stands in the inputs.
struct LinePlace: Hashable {
    /// The input's place among all.
    var input: Int
    /// Of text, from 1; of a database, the event's number.
    var line: Int64
    /// Whether the input is a database.
    let isRow: Bool
    /// From 1, in bytes.
    let column: Int
    /// From 1, in Unicode's code points.
    let character: Int

    /// Finds the place of a byte in a line.
    init(input: Int, line: LineChunk.Line, isRow: Bool, offset: Int) {
        self.input = input
        self.line = line.number
        self.isRow = isRow
        column = offset + 1
        character = line.bytes.prefix(offset).reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }

    /// The place that this one of a chunk is in its input.
    ///
    /// - Parameter lines: How many lines of the input come before the chunk.
    func moved(by lines: Int) -> LinePlace {
        var place = self
        if !isRow { place.line += Int64(lines) }
        return place
    }
}
