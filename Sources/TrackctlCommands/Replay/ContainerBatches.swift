internal import Tracking

/// The events of a stream, parsed, so many at a time as a transaction takes.
struct ContainerBatches {
    private static let eventsPerBatch = 500
    private static let bytesPerBatch = 1 << 20

    private let stream: EventStream
    /// Of the chunk that was read last, what is left.
    private var waiting: ArraySlice<RecordedContainer> = []

    init(_ stream: EventStream) { self.stream = stream }

    /// The next events; nil if there are none left.
    ///
    /// - Throws: What `EventStream.next()` throws.
    mutating func next() throws -> [RecordedContainer]? {
        var batch: [RecordedContainer] = []
        var bytes = 0
        while batch.count < Self.eventsPerBatch, bytes < Self.bytesPerBatch {
            guard let container = waiting.popFirst() else {
                guard try read() else { break }
                continue
            }
            batch.append(container)
            bytes += container.line.count
        }
        return batch.isEmpty ? nil : batch
    }

    private mutating func read() throws -> Bool {
        guard let chunk = try stream.next() else { return false }
        var containers: [RecordedContainer] = []
        chunk.forEachLine { line in
            if let container = stream.container(line, of: chunk) { containers.append(container) }
            return true
        }
        waiting = containers[...]
        return true
    }
}
