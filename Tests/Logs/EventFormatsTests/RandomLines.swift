import CommandRunner
import EventModel
import JSONLines
import TrackingCore
import TrackingDomainEvents

/// Random lines that follow from a seed.
struct RandomLines {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// The line of a container as the SDK writes it.
    mutating func container() throws -> String {
        let container = TrackingContainer(
            id: EventID(milliseconds: .random(in: 0...1 << 41, using: &random), counter: 1, random: random.next()),
            installID: text(), seq: .random(in: 1...(1 << 53) - 1, using: &random), sessionID: text(), userID: text(),
            time: EventTime(
                microseconds: .random(in: -60_000_000_000_000_000...250_000_000_000_000_000, using: &random)),
            context: Bool.random(using: &random) ? TrackingContext(app: text(), os: text()) : nil, event: event())
        return String(decoding: try container.line(), as: UTF8.self)
    }

    private mutating func event() -> any TrackingEvent {
        switch Int.random(in: 0...3, using: &random) {
        case 0: Launch()
        case 1: PageView(page: "repository-\(Int.random(in: 0...9, using: &random))", additional: nil)
        case 2: Search(query: "q" + text(), page: .random(in: 1...100, using: &random))
        default: NotificationResponse(identifier: "n" + text(), userInfo: ["payload": value(depth: 5)])
        }
    }

    private mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .integer(.random(in: -1_000_000...JSONValue.interoperable.upperBound, using: &random))
        case 3: .number(.random(in: -1e9...1e9, using: &random))
        case 4, 5: .string(text())
        case 6: .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1) })
        default:
            .object(
                Dictionary(
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in (text(), value(depth: depth - 1)) }
                ) { first, _ in first })
        }
    }

    /// Any JSON object, with white space, escapes and numbers of any form.
    mutating func object(depth: Int = 4) -> String {
        var names: Set<String> = []
        let members = (0..<Int.random(in: 0...5, using: &random)).compactMap { _ -> String? in
            let name =
                Int.random(in: 0...2, using: &random) == 0 ? text() : Self.names.randomElement(using: &random) ?? ""
            guard names.insert(name).inserted else { return nil }
            return "\(space())\(quoted(name))\(space()):\(space())\(json(depth: depth - 1))\(space())"
        }
        return "{\(members.isEmpty ? space() : members.joined(separator: ","))}"
    }

    private mutating func json(depth: Int) -> String {
        switch Int.random(in: 0...(depth > 0 ? 7 : 4), using: &random) {
        case 0: return ["null", "true", "false"].randomElement(using: &random) ?? ""
        case 1, 2: return Self.numbers.randomElement(using: &random) ?? ""
        case 3, 4: return quoted(text())
        case 5:
            let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                space() + json(depth: depth - 1) + space()
            }
            return "[\(elements.joined(separator: ","))]"
        default: return object(depth: depth)
        }
    }

    private static let names = [
        "v", "id", "install_id", "seq", "session_id", "user_id", "time", "schema", "context", "origin", "event", "name",
        "value", "app", "sdk", "page",
    ]
    private static let numbers = [
        "0", "-0", "1", "1536753247.351338", "1.50", "1E+2", "1e400", "-0.000001", "0.123456789012345",
        "12345678901234567890",
        "1536753247.3513381", "253402300800", "-62167219200.5",
    ]
    private static let texts = [
        "", "flux", "search/1-0-0", "launch", "page-view", "GitHubClient 1.0", "größe", "検索 👩‍👩‍👧", "a\"b\\c",
        "\u{1}\t\r\n",
        "\u{7F}\u{9B}", "\u{FFFE}", "=1,2", "90C5359B-8311-4221-94E1-921140C5353C", "\u{10FFFF}", "%2F/ ?#",
    ]

    private mutating func text() -> String {
        (0..<Int.random(in: 1...2, using: &random)).map { _ in Self.texts.randomElement(using: &random) ?? "" }.joined()
    }

    private mutating func space() -> String { ["", "", "", " ", "\t", " \r "].randomElement(using: &random) ?? "" }

    /// A string with escapes where they are needed, and sometimes where they are not.
    private mutating func quoted(_ text: String) -> String {
        var writer = JSONWriter()
        writer.string(text)
        let plain = String(decoding: writer.bytes, as: UTF8.self)
        return Bool.random(using: &random) ? plain.replacing("/", with: "\\/").replacing("a", with: "\\u0061") : plain
    }
}
