internal import EventLog
internal import JSONLines

/// What a file sink knows from the log about its open file.
struct FileCheckpoint: Equatable {
    let firstSeq: Int64
    let firstTime: EventTime
    var bytes: Int64

    /// An empty file whose first event is to be `record`.
    init(_ record: EventRecord) {
        firstSeq = record.seq
        firstTime = record.time
        bytes = 0
    }

    /// Reads what ``text`` wrote; nil for anything else.
    init?(_ text: String?) {
        guard let text, let json = try? JSONParser.parse(text.utf8),
            let firstSeq = json["first_seq"]?.integerValue, let time = json["first_time"]?.integerValue,
            let bytes = json["bytes"]?.integerValue
        else { return nil }
        self.firstSeq = firstSeq
        firstTime = EventTime(microseconds: time)
        self.bytes = bytes
    }

    var text: String {
        """
        {"first_seq":\(firstSeq),"first_time":\(firstTime.microseconds),"bytes":\(bytes)}
        """
    }
}
