import EventLog
import EventModel
import Foundation
import TrackingCore

/// A file of lines as the demo writes them: five events, many users, and searches' names where no event's name stands.
struct MixedLines {
    let path: String
    let bytes: Int

    /// Writes so many lines.
    init(count: Int, to path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
        else { throw BenchmarkFailure("\(path) cannot be written") }
        let install = UUID().uuidString
        let people = (0..<4000).map { _ in (user: UUID().uuidString, session: UUID().uuidString) }
        var (text, bytes) = ("", 0)
        for seq in 1...count {
            let person = people[seq &* 7919 % people.count]
            let id = EventID(milliseconds: 1_420_070_400_000 + UInt64(seq), counter: 0, random: UInt64(seq))
            let (schema, event) = Self.event(seq)
            text += """
                {"v":1,"id":"\(id)","install_id":"\(install)","seq":\(seq),"session_id":"\(person.session)",\
                "user_id":"\(person.user)","time":\(1_420_070_400 + seq / 300).\(seq % 300 + 1),"schema":"\(schema)",\
                "context":{"app":"GitHubClient 1.0","sdk":"swift-tracking 0.1.0"},"event":\(event)}

                """
            if text.utf8.count > 1 << 20 || seq == count {
                try file.write(contentsOf: Data(text.utf8))
                bytes += text.utf8.count
                text = ""
            }
        }
        try file.close()
        (self.path, self.bytes) = (path, bytes)
    }

    /// How many searches there are among so many lines.
    static func searches(in count: Int) -> Int { (1...count).count { $0 % 12 == 0 } }

    private static func event(_ seq: Int) -> (schema: String, json: String) {
        switch seq % 12 {
        case 0: ("search/1-0-0", #"{"name":"search","value":{"query":"swift event tracking","page":1}}"#)
        case 1:
            (
                "notification/1-0-0",
                #"{"name":"notification","value":{"identifier":"new","user_info":{"event":{"name":"search"},"name":"search"}}}"#
            )
        case 2...5:
            (
                "page-view/1-0-0",
                #"{"name":"page-view","value":{"page":"repository-detail","additional":"https://github.com/apple/swift"}}"#
            )
        case 6, 7: ("background/1-0-0", #"{"name":"background"}"#)
        default: ("launch/1-0-0", #"{"name":"launch"}"#)
        }
    }
}
