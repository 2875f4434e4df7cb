/// A line that is valid against this package's schemas, except for a test's changes.
struct PlannedLine {
    var seq = 1
    var name = "launch"
    /// `name/1-0-0` unless set.
    var schema: String?
    /// JSON; none if nil.
    var value: String?
    /// JSON, seconds since 1970.
    var time = "1536753247.5"
    /// Appended after the time.
    var context = ""

    /// Without the line feed.
    var text: String {
        """
        {"v":1,"id":"0165cddb-1e98-7000-8000-000000000001","install_id":"install-a","seq":\(seq),\
        "session_id":"00000000-0000-4000-8000-000000000001","user_id":"u","time":\(time)\(context),\
        "schema":"\(schema ?? "\(name)/1-0-0")","event":{"name":"\(name)"\(value.map { ",\"value\":\($0)" } ?? "")}}
        """
    }

    static func search(_ query: String, page: String = "1", time: String = "1536753247.5") -> PlannedLine {
        PlannedLine(name: "search", value: #"{"query":"\#(query)","page":\#(page)}"#, time: time)
    }
}

extension [PlannedLine] {
    /// The text of a file of JSON lines.
    var text: String { map { "\($0.text)\n" }.joined() }
}
