import EventModel
import EventQuery
import LogReplay

/// Lines for these tests, a few members long.
struct ReplayedLine: Sendable {
    var number: Int
    var user = "u"
    /// Seconds since 1970.
    var time = "1536753247"
    /// Its properties, as JSON.
    var value = #"{"page":1}"#

    var text: String {
        """
        {"id":"018f3c00-0000-7000-8000-\(String(100_000_000_000 + number))","seq":\(number),"user_id":"\(user)",\
        "time":\(time),"event":{"name":"launch","value":\(value)}}
        """
    }

    /// A number of lines of a number of users, in turn.
    static func lines(_ count: Int, users: Int = 1) -> [ReplayedLine] {
        (0..<count).map { ReplayedLine(number: $0, user: "user-\($0 % users)") }
    }
}

/// The lines of an array, a few at a time.
struct LinesSource: ReplaySource {
    let lines: [String]
    private var location = 0
    private(set) var leftOut: [String] = []
    /// How often it was started.
    private(set) var passes = 1

    init(_ lines: [ReplayedLine]) { self.lines = lines.map(\.text) }

    mutating func next(_ body: (SourceEvent) throws(CannotRewrite) -> Void) throws -> Bool {
        guard location < lines.count else { return false }
        for line in lines[location..<min(location + 3, lines.count)] {
            try Array(line.utf8).withUnsafeBytes { bytes in
                let event = try EventLineScanner([.userID, .time]).scan(bytes)
                do throws(CannotRewrite) { try body(SourceEvent(line: event)) } catch {
                    leftOut.append(error.description)
                }
            }
        }
        location += 3
        return true
    }

    mutating func startAgain() {
        location = 0
        passes += 1
    }
}

extension ReplayBatch {
    /// Its lines as texts.
    var texts: [String] { (0..<count).map { String(decoding: line($0), as: UTF8.self) } }
}

extension ReplayState {
    /// The state before the first event.
    static func fresh(lanes: Int = 1) -> ReplayState {
        ReplayState(options: ["--to": "x"], run: "run-1", started: EventTime(seconds: 2_000_000_000), lanes: lanes)
    }
}

extension ReplayPlan {
    /// A schedule of small batches.
    static func small(
        _ pace: ReplayPace = .unpaced, lanes: Int = 1, events: Int = 10, linger: Duration = .seconds(1)
    ) -> ReplayPlan {
        ReplayPlan(pace: pace, lanes: lanes, limits: BatchLimits(events: events, bytes: 100_000, linger: linger))
    }
}
