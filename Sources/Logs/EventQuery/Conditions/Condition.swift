package import EventModel
internal import Foundation

/// A condition on an event: `event.value.page >= 2 && event.name == "search"`.
///
/// | form | holds if |
/// |---|---|
/// | `PATH == LITERAL`, `!=` `<` `<=` `>` `>=` | the value exists and compares so to the literal or the other value |
/// | `PATH ~ "GLOB"` | the value is text and matches: `*` any text, `?` any character |
/// | `PATH in [LITERAL, …]` | the value exists and equals one of the literals |
/// | `exists(PATH)` | the value exists, even as null |
/// | `PATH` | the value is `true` |
/// | `!C`, `C && C`, `C \|\| C`, `(C)` | as in Swift |
///
/// A path is an ``EventPath`` for one value: `user_id`, `event.value.page`, `event.value.labels[0]`,
/// `context."my.app"`. To use a member that containers don't have, write a dot before it, as in `.plan`; otherwise it
/// is an error, which catches typing errors. A literal is text in quotes, a number, `true`, `false` or `null`. You
/// can compare `time` with any ``TimeExpression`` in quotes.
///
/// A missing value satisfies no comparison, not even `!=`; a value of another type satisfies only `!=`. Integers of
/// up to 64 bits are compared exactly, other numbers as doubles, and texts by their UTF-8, with escapes resolved.
package struct Condition: Sendable {
    /// The condition as written.
    package let source: String
    let root: Node
    /// The members of a line that the condition needs, in addition to its event.
    package var members: EventLineScanner.Members { root.comparesTime ? .time : [] }

    /// Parses a condition.
    ///
    /// - Parameter now: The time that relative times such as `-15m` refer to.
    /// - Throws: `TypedTextError`.
    package init(_ source: String, now: EventTime) throws(TypedTextError) {
        var parser = ConditionParser(source, now: now)
        self.source = source
        root = try parser.whole()
    }

    /// The paths whose values the condition uses.
    package var paths: [EventPath] { root.paths }

    package func holds(_ line: EventLine) -> Bool { root.holds(line) }

    enum Comparison: String, CaseIterable, Sendable {
        // Longer operators first: the parser takes the first that matches.
        case notLess = ">="
        case notMore = "<="
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case more = ">"

        /// Whether an order satisfies the comparison; nil for values that cannot be compared.
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

        var paths: [EventPath] {
            switch self {
            case .all(let nodes), .any(let nodes): nodes.flatMap(\.paths)
            case .not(let node): node.paths
            case .compareValues(let left, _, let right): [left, right]
            case .compareTime: [EventPath(members: "time")]
            case .compare(let path, _, _), .matches(let path, _), .among(let path, _), .exists(let path),
                .isTrue(let path):
                [path]
            }
        }
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

/// The members that containers have or may have, to check paths.
enum KnownMember {
    enum MemberType: String {
        case text
        case number = "a number"
        case time = "a time"
    }

    /// The type of the values at a path; nil if it can differ.
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

    /// Why a path cannot exist in a line; nil if it can.
    static func whyUnknown(_ path: EventPath) -> String? {
        let names = names(path)
        guard let member = EnvelopeMember(rawValue: names[0]) else {
            let near = EnvelopeMember.allCases.map(\.rawValue).first { isOneSlip($0, names[0]) }
            if let near { return "unknown member '\(names[0])': did you mean \(near)?" }
            return """
                unknown member '\(names[0])': for a value of an event, write event.value.\(path); for a custom \
                member, .\(path)
                """
        }
        if member == .event, names.count > 1, EnvelopeMember.Event(rawValue: names[1]) == nil {
            let rest = names.dropFirst().joined(separator: ".")
            return "an event has only name and value: did you mean event.value.\(rest)?"
        }
        return nil
    }

    /// The names of the steps; empty for elements.
    private static func names(_ path: EventPath) -> [String] {
        path.steps.map { if case .name(let name) = $0 { String(decoding: name, as: UTF8.self) } else { "" } }
    }

    /// Whether two names differ by one insertion, deletion, replacement or transposition.
    private static func isOneSlip(_ left: String, _ right: String) -> Bool {
        let left = Array(left.lowercased())
        let right = Array(right.lowercased())
        let start = zip(left, right).prefix { $0 == $1 }.count
        let restLeft = left[start...]
        let restRight = right[start...]
        if restLeft.dropFirst() == restRight || restLeft == restRight.dropFirst() { return true }
        if restLeft.dropFirst() == restRight.dropFirst() { return left.count > 2 }
        return restLeft.count > 1 && restRight.count > 1 && restLeft.prefix(2).reversed() == Array(restRight.prefix(2))
            && restLeft.dropFirst(2) == restRight.dropFirst(2)
    }
}
