internal import JSONLines

extension StreamMessage {
    /// Splits the message so that each payload has at most `limit` bytes: first the absent numbers, then the lines.
    ///
    /// - Returns: This message if it is small enough. A single line, or a single range of absent numbers, is never
    ///   split: the payload of such a part may exceed the limit.
    package func split(limit: Int = maximumBytes) -> [StreamMessage] {
        guard header.count + 1 + text.count > limit else { return [self] }
        var splitter = Splitter(self, limit: limit)
        for range in absent { splitter.add(range) }
        text.withUnsafeBytes { text in
            var start = 0
            var next = 0
            for seq in numbers.joined() {
                let end = Self.lineEnd(in: text, from: start).map { $0 + 1 } ?? text.count
                while next < unvalidated.count, unvalidated[next].upperBound < seq { next += 1 }
                splitter.add(
                    text[start..<end], seq, isValidated: next == unvalidated.count || !unvalidated[next].contains(seq))
                start = end
            }
        }
        return splitter.parts + [splitter.part]
    }

    /// Fills one part after another.
    private struct Splitter {
        /// The most bytes of `[9007199254740991,9007199254740991],`.
        private static let rangeBytes = 36
        /// The bytes of `,"absent":[],"lines":[],"unvalidated":[]`, and the line feed, rounded up.
        private static let listBytes = 64

        let limit: Int
        let empty: StreamMessage
        let emptyBytes: Int
        var parts: [StreamMessage] = []
        var part: StreamMessage
        /// The most bytes that the part's payload can have.
        var bytes: Int

        init(_ message: StreamMessage, limit: Int) {
            var empty = message
            empty.absent = []
            empty.numbers = []
            empty.unvalidated = []
            empty.text = []
            self.limit = limit
            self.empty = empty
            emptyBytes = empty.header.count + Self.listBytes
            part = empty
            bytes = emptyBytes
        }

        private mutating func finish() {
            parts.append(part)
            part = empty
            bytes = emptyBytes
        }

        mutating func add(_ range: AbsentNumbers) {
            var json = JSONWriter(capacity: 128)
            range.write(to: &json)
            let needed = json.bytes.count + 1
            if bytes + needed > limit, bytes > emptyBytes { finish() }
            bytes += needed
            part.absent.append(range)
        }

        mutating func add(_ line: Slice<UnsafeRawBufferPointer>, _ seq: Int64, isValidated: Bool) {
            // At most a new range in each list.
            let needed = line.count + Self.rangeBytes * (isValidated ? 1 : 2)
            if bytes + needed > limit, bytes > emptyBytes { finish() }
            bytes += line.count
            if Self.append(seq, to: &part.numbers) { bytes += Self.rangeBytes }
            if !isValidated, Self.append(seq, to: &part.unvalidated) { bytes += Self.rangeBytes }
            part.text += line
        }

        /// - Returns: Whether the number starts a new range.
        private static func append(_ seq: Int64, to ranges: inout [ClosedRange<Int64>]) -> Bool {
            if let last = ranges.last, last.upperBound + 1 == seq {
                ranges[ranges.count - 1] = last.lowerBound...seq
                return false
            }
            ranges.append(seq...seq)
            return true
        }
    }
}
