internal import EventModel
internal import EventQuery
internal import JSONLines

/// What a log must hold, in one regard.
struct Expectation {
    /// What is asked of the lines that are meant.
    enum Demand {
        /// So many of them.
        case count(ClosedRange<Int>)
        /// Some of them that match, one after the other; others may stand between them.
        case sequence([PartialMatch], by: Group?)
        /// Each of them satisfies its schema.
        case valid
        /// No number is missing between the lowest and the highest of an install.
        case noGaps
    }

    /// What a sequence is looked for in.
    enum Group: CaseIterable {
        case user
        case session
    }

    /// What reports call it.
    let name: String
    /// Which lines are meant, by their event's name; nil for all.
    var event: TextMatcher?
    /// Which lines are meant; nil for all.
    var condition: Condition?
    /// Which lines are meant; nil for all.
    var match: PartialMatch?
    var demand = Demand.count(1...Int.max)

    /// What must be looked for in lines.
    var members: EventLineScanner.Members {
        var members = condition?.members ?? []
        if case .sequence(_, let group?) = demand { members.insert(group == .user ? .userID : .sessionID) }
        return members
    }

    /// Whether a line is meant.
    ///
    /// - Throws: `JSONSyntaxError` if that cannot be told, as the line is no JSON inside.
    func means(_ line: AssertedLine) throws(JSONSyntaxError) -> Bool {
        if let event, !line.event.matches(line.event.name, event) { return false }
        if let condition, !condition.holds(line.event) { return false }
        guard let match else { return true }
        return match.holds(try line.parsed())
    }
}

extension Expectation {
    /// Reads `search >= 1`: a name of events, where `*` and `?` stand for any text and any character, and how many there
    /// are. Nil for anything else.
    init?(shortForm text: String) {
        let signs: [(String, (Int) -> ClosedRange<Int>?)] = [
            (">=", { $0...Int.max }), ("<=", { 0...$0 }), ("==", { $0...$0 }),
            (">", { $0 < Int.max ? ($0 + 1)...Int.max : nil }), ("<", { $0 > 0 ? 0...($0 - 1) : nil }),
        ]
        for (sign, range) in signs {
            guard let location = text.ranges(of: sign).last else { continue }
            let name = text[..<location.lowerBound].trimmingSpace
            guard !name.isEmpty, let count = Int(text[location.upperBound...].trimmingSpace), count >= 0,
                let range = range(count)
            else { return nil }
            self.init(name: text, event: TextMatcher(glob: String(name)), demand: .count(range))
            return
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmingSpace: Substring {
        let start = drop { $0 == " " }
        return start.lastIndex { $0 != " " }.map { start[...$0] } ?? ""
    }
}

/// JSON that a line must contain: of an object the members that are named, of an array every element in its place, of
/// anything else an equal value. Numbers are compared by value: 1 is 1.0.
struct PartialMatch {
    let pattern: JSONValue

    /// Whether a line contains it.
    func holds(_ line: JSONValue) -> Bool { Self.contains(line, pattern) }

    private static func contains(_ value: JSONValue, _ pattern: JSONValue) -> Bool {
        switch (value, pattern) {
        case (.object, .object(let members)):
            members.allSatisfy { name, part in value[name].map { contains($0, part) } ?? false }
        case (.array(let elements), .array(let parts)):
            elements.count == parts.count && zip(elements, parts).allSatisfy { contains($0, $1) }
        case (.integer(let whole), .number(let double)), (.number(let double), .integer(let whole)):
            Double(whole) == double
        default: value == pattern
        }
    }
}

extension Expectation.Group: RawRepresentable {
    /// The name of the line's member that a sequence is followed by.
    var rawValue: String {
        switch self {
        case .user: EnvelopeMember.userID.rawValue
        case .session: EnvelopeMember.sessionID.rawValue
        }
    }

    init?(rawValue: String) {
        guard let group = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = group
    }
}
