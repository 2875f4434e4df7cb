internal import CrashSupport
internal import TrackingCore

/// Records when a sink delivers and when it finishes a file, so that the harness can kill it then.
final class NotingSink: Sink {
    private let sink: any Sink
    private let notebook: Notebook
    private let maximumBytes: Int64

    init(sink: any Sink, notebook: Notebook, maximumBytes: Int64) {
        self.sink = sink
        self.notebook = notebook
        self.maximumBytes = maximumBytes
    }

    var name: String { sink.name }

    func deliver(_ batch: EventBatch) async -> DeliveryResult {
        let rotates = isFull(batch)
        notebook.leave(.delivered)
        notebook.enter(rotates ? [.delivering, .rotating] : .delivering)
        let result = await sink.deliver(batch)
        notebook.leave([.delivering, .rotating])
        notebook.enter(.delivered)
        // Gives the harness time to kill this process before the log stores the cursor.
        try? await Task.sleep(for: .milliseconds(1))  // ends early when cancelled
        return result
    }

    func loss(since checkpoint: String) async -> SinkLoss? { await sink.loss(since: checkpoint) }

    private func isFull(_ batch: EventBatch) -> Bool {
        guard let checkpoint = batch.checkpoint,
            let json = try? JSONParser.parse(checkpoint.utf8),  // not read: the note is missing, nothing else
            let bytes = json["bytes"]?.integerValue
        else { return false }
        return bytes > 0 && bytes + Int64(batch.records[0].line.count) + 1 > maximumBytes
    }
}
