package import EventModel
internal import Foundation

/// A condition on an event: `event.value.page >= 2 && event.name == "search"`.
///
/// | form | holds if |
/// |---|---|
/// | `PATH == LITERAL`, `!=` `<` `<=` `>` `>=` | the value is there, and stands so to the literal or to another path's value |
/// | `PATH ~ "GLOB"` | the value is text, and matches: `*` any text, `?` any one character |
/// | `PATH in [LITERAL, …]` | the value is there and equals one of these |
/// | `exists(PATH)` | the value is there, if only as null |
/// | `PATH` | the value is `true` |
/// | `!C`, `C && C`, `C \|\| C`, `(C)` | as in Swift |
///
/// A path is an ``EventPath`` for one value: `user_id`, `event.value.page`, `event.value.labels[0]`, `context."my.app"`.
/// A member that the container doesn't have needs a dot before it, `.plan`, so that a slip of the pen is an error and no
/// empty answer. A literal is a text in quotes, a number, `true`, `false` or `null`.
/// `time` may be compared with whatever ``TimeExpression`` reads, in quotes.
///
/// A value that isn't there satisfies no comparison, not even `!=`; one of another type satisfies `!=` only. Whole
/// numbers of 64 bits are compared exactly, others as doubles; texts by the bytes of their UTF-8, their escapes
/// resolved.
package struct Condition: Sendable {
    /// The condition as it was written.
    package let source: String
    let root: Node
    /// What must be known of a line to tell, beside its event.
    package var members: EventLineScanner.Members { root.comparesTime ? .time : [] }

    /// Reads a condition.
    ///
    /// - Parameter now: What times such as `-15m` count from.
    /// - Throws: `TypedTextError`.
    package init(_ source: String, now: EventTime) throws(TypedTextError) {
        var parser = ConditionParser(source, now: now)
        self.source = source
        root = try parser.whole()
    }

    /// Whether it holds for an event.
    package func holds(_ line: EventLine) -> Bool { root.holds(line) }

    enum Comparison: String, CaseIterable, Sendable {
        // The longer ones first: one is read as the first that fits.
        case notLess = ">="
        case notMore = "<="
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case more = ">"

        /// Whether an order is what this asks for; nil for values that cannot be compared.
        func holds(_ order: Int?) -> Bool {
            guard let order else { return self == .notEqual }
            return switch self {
            case .equal: order == 0
            case .notEqual: order != 0
            case .less: order < 0
            case .more: order > 0
            case .notLess: order >= 0
            case .notMore: order <= 0
            }
        }
    }

    indirect enum Node: Sendable {
        case all([Node])
        case any([Node])
        case not(Node)
        case compare(EventPath, Comparison, Literal)
        case compareValues(EventPath, Comparison, EventPath)
        case compareTime(Comparison, EventTime)
        case matches(EventPath, TextMatcher)
        case among(EventPath, [Literal])
        case exists(EventPath)
        case isTrue(EventPath)
    }
}

extension Condition.Node {
    fileprivate func holds(_ line: EventLine) -> Bool {
        switch self {
        case .all(let nodes): nodes.allSatisfy { $0.holds(line) }
        case .any(let nodes): nodes.contains { $0.holds(line) }
        case .not(let node): !node.holds(line)
        case .compare(let path, let comparison, let literal):
            line.value(at: path).map { comparison.holds($0.compared(to: literal)) } ?? false
        case .compareValues(let left, let comparison, let right):
            line.value(at: left).flatMap { value in
                line.value(at: right).map { comparison.holds(value.compared(to: $0)) }
            } ?? false
        case .compareTime(let comparison, let time):
            line.time.map { comparison.holds($0 == time ? 0 : $0 < time ? -1 : 1) } ?? false
        case .matches(let path, let pattern):
            if case .text(let text)? = line.value(at: path) { pattern.matches(escaped: text) } else { false }
        case .among(let path, let literals):
            line.value(at: path).map { value in literals.contains { value.compared(to: $0) == 0 } } ?? false
        case .exists(let path): line.value(at: path) != nil
        case .isTrue(let path):
            if case .bool(true)? = line.value(at: path) { true } else { false }
        }
    }

    fileprivate var comparesTime: Bool {
        switch self {
        case .all(let nodes), .any(let nodes): nodes.contains(where: \.comparesTime)
        case .not(let node): node.comparesTime
        case .compareTime: true
        default: false
        }
    }
}

/// What a path can be checked by: the members that every container has, and may have.
enum KnownMember {
    enum MemberType: String {
        case text
        case number = "a number"
        case time = "a time"
    }

    /// What the values at the end of a path are; nil if they can differ.
    static func type(of path: EventPath) -> MemberType? {
        let names = names(path)
        if names == [EnvelopeMember.event.rawValue, EnvelopeMember.Event.name.rawValue] { return .text }
        guard names.count == 1 else { return nil }
        return switch EnvelopeMember(rawValue: names[0]) {
        case .version, .seq: .number
        case .time: .time
        case .id, .installID, .sessionID, .userID, .schema: .text
        case .unplanned, .context, .origin, .event, nil: nil
        }
    }

    /// Why a path can lead nowhere; nil if it can lead somewhere.
    static func whyUnknown(_ path: EventPath) -> String? {
        let names = names(path)
        guard let member = EnvelopeMember(rawValue: names[0]) else {
            let near = EnvelopeMember.allCases.map(\.rawValue).first { isOneSlip($0, names[0]) }
            if let near { return "a line has no member '\(names[0])': did you mean \(near)?" }
            return """
                a line has no member '\(names[0])': a value of an event is event.value.\(path), a member of your own \
                .\(path)
                """
        }
        if member == .event, names.count > 1, EnvelopeMember.Event(rawValue: names[1]) == nil {
            let rest = names.dropFirst().joined(separator: ".")
            return "an event has a name and a value: did you mean event.value.\(rest)?"
        }
        return nil
    }

    /// The names on the way; empty texts for elements.
    private static func names(_ path: EventPath) -> [String] {
        path.steps.map { if case .name(let name) = $0 { String(decoding: name, as: UTF8.self) } else { "" } }
    }

    /// Whether two names differ by one character: more, less, another, or two that changed places.
    private static func isOneSlip(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.lowercased()), Array(right.lowercased()))
        let start = zip(left, right).prefix { $0 == $1 }.count
        let (restLeft, restRight) = (left[start...], right[start...])
        if restLeft.dropFirst() == restRight || restLeft == restRight.dropFirst() { return true }
        if restLeft.dropFirst() == restRight.dropFirst() { return left.count > 2 }
        return restLeft.count > 1 && restRight.count > 1 && restLeft.prefix(2).reversed() == Array(restRight.prefix(2))
            && restLeft.dropFirst(2) == restRight.dropFirst(2)
    }
}
