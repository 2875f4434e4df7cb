/// A planned line of one of several users and sessions, on one of several days.
struct ReportedLine {
    var user: String
    var name = "launch"
    /// JSON; none if nil.
    var value: String?
    /// After 2018-09-12T00:00:00Z.
    var second: Int

    /// Without the line feed.
    func text(_ seq: Int) -> String {
        let day = second / 86_400
        let session = "00000000-0000-4000-8000-00000000000\(day)"
        return PlannedLine(seq: seq, name: name, value: value, time: "\(1_536_710_400 + second)").text
            .replacing(#""user_id":"u""#, with: #""user_id":"\#(user)""#)
            .replacing("00000000-0000-4000-8000-000000000001", with: session)
    }

    /// Two users over three days: one completes a search and returns, the other finds nothing.
    static let few = [
        ReportedLine(user: "a", second: 36_000),
        ReportedLine(user: "a", name: "search", value: #"{"query":"flux","page":1}"#, second: 36_005),
        ReportedLine(user: "a", name: "page-view", value: #"{"page":"repository-detail"}"#, second: 36_065),
        ReportedLine(user: "b", second: 86_400 + 50),
        ReportedLine(user: "b", name: "search", value: #"{"query":"","page":0}"#, second: 86_400 + 60),
        ReportedLine(user: "a", second: 2 * 86_400 + 7),
    ]
}

extension [ReportedLine] {
    /// The text of a file of JSON lines.
    var text: String { enumerated().map { "\($1.text($0 + 1))\n" }.joined() }
}
