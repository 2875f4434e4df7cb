internal import EventModel
internal import EventQuery
internal import JSONLines

/// An expectation about a log.
struct Expectation {
    /// The requirement for the selected lines.
    enum Demand {
        /// Their number is in this range.
        case count(ClosedRange<Int>)
        /// They match in this order; other lines may come in between.
        case sequence([PartialMatch], by: Group?)
        /// Each satisfies its schema.
        case valid
        /// No number is missing between the lowest and the highest of an install.
        case noGaps
    }

    /// The lines that a sequence is searched in.
    enum Group: CaseIterable {
        case user
        case session
    }

    let name: String
    /// Selects lines by their event's name; nil for all.
    var event: TextMatcher?
    /// Selects lines; nil for all.
    var condition: Condition?
    /// Selects lines; nil for all.
    var match: PartialMatch?
    var demand = Demand.count(1...Int.max)

    /// The members of lines that the expectation needs.
    var members: EventLineScanner.Members {
        var members = condition?.members ?? []
        if case .sequence(_, let group?) = demand { members.insert(group == .user ? .userID : .sessionID) }
        return members
    }

    /// Whether the expectation selects a line.
    ///
    /// - Throws: `JSONSyntaxError` if the line's content is not JSON.
    func means(_ line: AssertedLine) throws(JSONSyntaxError) -> Bool {
        if let event, !line.event.matches(line.event.name, event) { return false }
        if let condition, !condition.holds(line.event) { return false }
        guard let match else { return true }
        return match.holds(try line.parsed())
    }
}

extension Expectation {
    /// Parses `search >= 1`: an event name, in which `*` matches any text and `?` any character, and a count. Returns
    /// nil for anything else.
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

/// A JSON pattern. A line matches if it contains the pattern: for an object, at least the given members; for an
/// array, the same number of matching elements; otherwise, an equal value. Numbers are compared by value: 1 equals
/// 1.0.
struct PartialMatch {
    let pattern: JSONValue

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
    /// The line's member by which sequences are grouped.
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
