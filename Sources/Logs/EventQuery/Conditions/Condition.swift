internal import EventLog
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
        case matches(EventPath, TextPattern)
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
