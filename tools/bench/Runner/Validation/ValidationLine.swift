internal import Primitives

/// One line to validate, as values that a fault can be planted in.
struct ValidationLine {
    private var id: String
    private var time: String
    private var name: String
    private var seq: String
    private var user: String
    private var plan: String
    private var page: String
    private var position: String
    private var ratio: String
    private var tag: String
    private var end = ""

    init(number: Int, _ random: inout SplitMix64) {
        func pick(_ texts: [String]) -> String { texts[Int.random(in: texts.indices, using: &random)] }
        func two(_ range: ClosedRange<Int>) -> String { Self.digits(Int.random(in: range, using: &random), 2) }
        id = Self.identifier(random.next(), random.next())
        time = "2026-\(two(1...12))-\(two(1...28))T\(two(0...23)):\(two(0...59)):\(two(0...59)).\(two(0...99))Z"
        name = pick(["launch", "page-view", "search", "notification", "background"])
        seq = String(number + 1)
        user = String(Int.random(in: 1...10_000_000, using: &random))
        plan = pick(["free", "team", "company"])
        page = pick(["/repositories/apple/swift", "/search", "/users/octocat/stars", "/settings"])
        position = String(Int.random(in: 0...500, using: &random))
        ratio = "0." + two(1...99)
        tag = pick(["new", "starred", "archived"])
    }

    /// Breaks one rule of the schema.
    mutating func plantIssue(_ random: inout SplitMix64) {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: id.removeLast()
        case 1: time = "2026-02-30T12:00:00.00Z"
        case 2: name = "purchase"
        case 3: seq = "0"
        case 4: user = "\"\(user)\""
        case 5: plan = "Free"
        case 6: position = "501"
        case 7: ratio = "1.01"
        default: end = #","extra":true"#
        }
    }

    /// The line, with its line feed.
    var text: String {
        """
        {"id":"\(id)","time":"\(time)","name":"\(name)","seq":\(seq),\
        "user":{"id":\(user),"plan":"\(plan)","country":"DE"},\
        "value":{"page":"\(page)","position":\(position),"ratio":\(ratio),"tags":["\(tag)","beta"]}\(end)}

        """
    }

    private static func digits(_ value: Int, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: count - text.count) + text
    }

    private static func identifier(_ high: UInt64, _ low: UInt64) -> String {
        let digits = [high, low].map { word in
            (0..<16).map { String(word >> (60 - 4 * UInt64($0)) & 15, radix: 16) }.joined()
        }.joined()
        var rest = digits[...]
        return [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return String(rest.prefix(count))
        }.joined(separator: "-")
    }
}
