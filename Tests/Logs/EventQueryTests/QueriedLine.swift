import EventModel
import EventQuery
import Foundation

/// Lines for these tests.
enum QueriedLine {
    static let search = #"""
        {"v":1,"id":"018f3c00-0000-7000-8000-000000000001","install_id":"i-1","seq":7,"session_id":"s-1","user_id":"u-1",\#
        "time":1536753247.351338,"schema":"search/1-0-0","context":{"app":"Shop","my.app":{"flags":[true,"b",null,2.5]}},\#
        "event":{"name":"search","value":{"query":"a \"name\":\"launch\" é","page":2,"event":{"name":"launch"}}}}
        """#

    /// Whether a condition holds for a line.
    static func holds(_ condition: String, _ line: String = search, now: EventTime = EventTime(seconds: 0)) throws
        -> Bool
    {
        let condition = try Condition(condition, now: now)
        return try scan(line, condition.members) { condition.holds($0) }
    }

    /// Scans a line and shows what was found.
    static func scan<Result>(
        _ line: String, _ members: EventLineScanner.Members = [], _ body: (EventLine) throws -> Result
    ) throws -> Result {
        try Array(line.utf8).withUnsafeBytes { try body(EventLineScanner(members).scan($0)) }
    }
}
