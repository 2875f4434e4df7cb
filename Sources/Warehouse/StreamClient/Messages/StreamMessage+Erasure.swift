internal import DeliveryProtocol
internal import Primitives

extension StreamMessage {
    /// The message without some lines, whose numbers are absent as erased instead.
    ///
    /// - Parameter isErased: Whether a line is removed.
    /// - Returns: nil if no line is removed.
    package func removing(_ isErased: (UnsafeRawBufferPointer) -> Bool) -> StreamMessage? {
        var kept: [Int64] = []
        var erased: [Int64] = []
        var text: [UInt8] = []
        forEachLine { seq, line in
            if isErased(line) {
                erased.append(seq)
            } else {
                kept.append(seq)
                text.append(contentsOf: line)
                text.append(UInt8(ascii: "\n"))
            }
        }
        guard !erased.isEmpty else { return nil }
        var rest = self
        rest.numbers = NumberRanges.ranges(of: kept)
        rest.text = text
        rest.unvalidated = NumberRanges.common(unvalidated, rest.numbers)
        rest.absent += NumberRanges.ranges(of: erased).map { AbsentNumbers($0, .erased) }
        rest.absent.sort { $0.seqs.lowerBound < $1.seqs.lowerBound }
        return rest
    }
}
