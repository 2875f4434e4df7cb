package import EventModel
internal import JSONLines

/// What a file sink knows from the log about its open file.
package struct FileCheckpoint: Equatable {
    /// The number of its first event.
    package let firstSeq: Int64
    /// When that was sent.
    package let firstTime: EventTime
    /// The file's length.
    package var bytes: Int64
    /// The files of its sink that have gone for the quota until then.
    package var removed: RemovedFiles

    /// An empty file whose first event is to be `record`.
    package init(_ record: EventRecord, removed: RemovedFiles) {
        self.init(firstSeq: record.seq, firstTime: record.time, bytes: 0, removed: removed)
    }

    /// A file as it is.
    package init(firstSeq: Int64, firstTime: EventTime, bytes: Int64, removed: RemovedFiles = RemovedFiles()) {
        self.firstSeq = firstSeq
        self.firstTime = firstTime
        self.bytes = bytes
        self.removed = removed
    }

    /// Reads what ``text`` wrote; nil for anything else.
    package init?(_ text: String?) {
        guard let text, let json = try? JSONParser.parse(text.utf8),
            let firstSeq = json["first_seq"]?.integerValue, let time = json["first_time"]?.integerValue,
            let bytes = json["bytes"]?.integerValue
        else { return nil }
        self.firstSeq = firstSeq
        firstTime = EventTime(microseconds: time)
        self.bytes = bytes
        removed = RemovedFiles(
            count: json["removed_files"]?.integerValue ?? 0, bytes: json["removed_bytes"]?.integerValue ?? 0)
    }

    /// As the log stores it.
    package var text: String {
        let gone =
            removed.count > 0 ? ",\"removed_files\":\(removed.count),\"removed_bytes\":\(removed.bytes)" : ""
        return """
            {"first_seq":\(firstSeq),"first_time":\(firstTime.microseconds),"bytes":\(bytes)\(gone)}
            """
    }
}
