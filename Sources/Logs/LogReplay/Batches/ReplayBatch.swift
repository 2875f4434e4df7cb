package import EventModel
internal import Primitives

/// Events of one lane that are sent together.
package struct ReplayBatch: Sendable {
    /// The lane's index.
    package let lane: Int
    /// The index of its first event in the lane.
    package let first: Int
    /// The lines, each with its line feed.
    package internal(set) var body: [UInt8] = []
    /// The end of each line in the body, after its line feed.
    package internal(set) var ends: [Int] = []
    /// The events as a log stores them, if they were parsed and are unchanged; otherwise empty.
    package internal(set) var recorded: [RecordedEvent] = []
    /// The purpose of each event.
    package internal(set) var purposes: [Purpose] = []
    /// The due time of its last event, by the run's clock.
    var deadline = Duration.zero
    /// The checksum of all lines of the lane up to this batch's end, as read.
    package internal(set) var checksum: UInt = 0

    init(lane: Int, first: Int) {
        self.lane = lane
        self.first = first
    }

    /// Creates a batch from events as a log stores them.
    ///
    /// - Parameter first: The index of the first event.
    package init(_ events: [RecordedEvent], first: Int) {
        self.init(lane: 0, first: first)
        for event in events { event.record.line.withUnsafeBytes { append($0, for: event.record.purpose) } }
        recorded = events
    }

    /// The number of events.
    package var count: Int { ends.count }

    /// The batch's id: the SHA-256 of its lines in hexadecimal digits. A resent batch has the same id.
    package var id: String { SHA256.hexadecimal(body) }

    /// A line without its line feed.
    package func line(_ index: Int) -> ArraySlice<UInt8> {
        body[(index == 0 ? 0 : ends[index - 1])..<(ends[index] - 1)]
    }

    mutating func append(_ line: UnsafeRawBufferPointer, for purpose: Purpose) {
        purposes.append(purpose)
        body.append(contentsOf: line)
        body.append(UInt8(ascii: "\n"))
        ends.append(body.count)
    }

    /// Its halves, for a sink that cannot accept a batch of this size.
    var halves: [ReplayBatch] {
        let middle = (count + 1) / 2
        return [0..<middle, middle..<count].map(part)
    }

    /// A part of the batch, with at least one event.
    func part(_ range: Range<Int>) -> ReplayBatch {
        var part = ReplayBatch(lane: lane, first: first + range.lowerBound)
        let start = range.lowerBound == 0 ? 0 : ends[range.lowerBound - 1]
        part.body = Array(body[start..<ends[range.upperBound - 1]])
        part.ends = ends[range].map { $0 - start }
        part.purposes = Array(purposes[range])
        part.recorded = recorded.isEmpty ? [] : Array(recorded[range])
        part.deadline = deadline
        return part
    }

    /// The same events with changed lines.
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
            try result.get().withUnsafeBytes { changed.append($0, for: purposes[index]) }
        }
        return changed
    }
}
