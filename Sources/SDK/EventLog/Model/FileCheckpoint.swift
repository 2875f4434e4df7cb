package import EventModel
internal import JSONLines

/// The checkpoint of a file sink: the state of its open file.
package struct FileCheckpoint: Equatable {
    /// The number of the first event in the file.
    package let firstSeq: Int64
    /// When that event was sent.
    package let firstTime: EventTime
    /// The file's length.
    package var bytes: Int64
    /// How many of the sink's files the quota has removed so far.
    package var removed: RemovedFiles

    /// Makes the checkpoint of an empty file whose first event will be `record`.
    package init(_ record: EventRecord, removed: RemovedFiles) {
        self.init(firstSeq: record.seq, firstTime: record.time, bytes: 0, removed: removed)
    }

    /// Makes the checkpoint of an existing file.
    package init(firstSeq: Int64, firstTime: EventTime, bytes: Int64, removed: RemovedFiles = RemovedFiles()) {
        self.firstSeq = firstSeq
        self.firstTime = firstTime
        self.bytes = bytes
        self.removed = removed
    }

    /// Parses a ``text``; nil if it is not valid.
    package init?(_ text: String?) {
        guard let text, let json = JSONValue(validating: text.utf8),
            let firstSeq = json["first_seq"]?.integerValue, let time = json["first_time"]?.integerValue,
            let bytes = json["bytes"]?.integerValue
        else { return nil }
        self.firstSeq = firstSeq
        firstTime = EventTime(microseconds: time)
        self.bytes = bytes
        removed = RemovedFiles(
            count: json["removed_files"]?.integerValue ?? 0, bytes: json["removed_bytes"]?.integerValue ?? 0)
    }

    /// The JSON text that the log stores.
    package var text: String {
        let gone =
            removed.count > 0 ? ",\"removed_files\":\(removed.count),\"removed_bytes\":\(removed.bytes)" : ""
        return """
            {"first_seq":\(firstSeq),"first_time":\(firstTime.microseconds),"bytes":\(bytes)\(gone)}
            """
    }
}
