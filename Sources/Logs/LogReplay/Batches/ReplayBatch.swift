package import EventModel
internal import Primitives

/// Events of one lane that are sent together.
package struct ReplayBatch: Sendable {
    /// The lane's number, from 0.
    package let lane: Int
    /// The number in its lane of its first event, from 0.
    package let first: Int
    /// The lines, each with its line feed.
    package internal(set) var body: [UInt8] = []
    /// Where each line ends in the body, behind its line feed.
    package internal(set) var ends: [Int] = []
    /// The events as a log takes them, if they were parsed and not changed since; else none.
    package internal(set) var recorded: [RecordedEvent] = []
    /// When it is due, by the clock of the run: with its last event.
    var deadline = Duration.zero
    /// The checksum of all lines of the lane up to its last one, as they were read.
    package internal(set) var checksum: UInt = 0

    init(lane: Int, first: Int) {
        self.lane = lane
        self.first = first
    }

    /// Makes a batch of events as a log takes them.
    ///
    /// - Parameter first: The number of the first, from 0.
    package init(_ events: [RecordedEvent], first: Int) {
        self.init(lane: 0, first: first)
        for event in events { event.record.line.withUnsafeBytes { append($0) } }
        recorded = events
    }

    /// How many events it has.
    package var count: Int { ends.count }

    /// What names it to whoever takes it: the SHA-256 of its lines in hexadecimal digits. The same lines have the same
    /// id, however often they are sent.
    package var id: String { SHA256.hexadecimal(body) }

    /// A line without its line feed.
    package func line(_ index: Int) -> ArraySlice<UInt8> {
        body[(index == 0 ? 0 : ends[index - 1])..<(ends[index] - 1)]
    }

    mutating func append(_ line: UnsafeRawBufferPointer) {
        body.append(contentsOf: line)
        body.append(UInt8(ascii: "\n"))
        ends.append(body.count)
    }

    /// Its first and its second half, for one who takes no batch as large as this one.
    var halves: [ReplayBatch] {
        let middle = (count + 1) / 2
        return [0..<middle, middle..<count].map(part)
    }

    /// Some of its events, at least one.
    func part(_ range: Range<Int>) -> ReplayBatch {
        var part = ReplayBatch(lane: lane, first: first + range.lowerBound)
        let start = range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1]
        part.body = Array(body[start..<ends[range.upperBound - 1]])
        part.ends = ends[range].map { $0 - start }
        part.recorded = recorded.isEmpty ? [] : Array(recorded[range])
        part.deadline = deadline
        return part
    }

    /// The same events, each line changed.
    func rewritten<Failure: Error>(
        _ change: (UnsafeRawBufferPointer, _ ordinal: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> ReplayBatch {
        var changed = ReplayBatch(lane: lane, first: first)
        changed.deadline = deadline
        changed.checksum = checksum
        for index in 0..<count {
            let line = Array(line(index))
            let result: Result<[UInt8], Failure> = line.withUnsafeBytes { bytes in
                do throws(Failure) { return .success(try change(bytes, first + index)) } catch {
                    return .failure(error)
                }
            }
            try result.get().withUnsafeBytes { changed.append($0) }
        }
        return changed
    }
}
