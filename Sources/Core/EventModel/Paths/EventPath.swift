/// The path of a value in an event's line: `event.value.page`. Conditions, fields, redactions and all other options use
/// this syntax.
///
/// | written | means |
/// |---|---|
/// | `user_id` | the member with that name: letters and digits of any language, `_`, `-`, `$`, `@`, `/` |
/// | `event.value` | a member of a member |
/// | `context."my.app"` | a name with other characters, in double quotes, with JSON escapes |
/// | `event.value.labels[0]` | an element of an array, from 0 |
/// | `event.value.*`, `event.value.labels[*]` | every member, every element: where several values are allowed |
/// | `.plan` | the same as `plan`; conditions use it for a member that no container has |
///
/// White space before and after a path is ignored.
package struct EventPath: Sendable, CustomStringConvertible {
    /// A step from a value to a nested value.
    package enum Step: Hashable, Sendable {
        /// The member with this name, as UTF-8.
        case name([UInt8])
        /// The element with this index, from 0.
        case element(Int)
        /// Every member, or every element.
        case any
    }

    /// The steps from the line's top-level object; at least one.
    package let steps: [Step]
    /// The path as written, without surrounding white space.
    package let description: String

    /// Whether the path matches at most one value.
    package var isSingle: Bool { !steps.contains(.any) }

    /// Parses a text that consists of a path.
    ///
    /// - Parameter allowingStars: Whether the path may match several values.
    /// - Throws: ``TypedTextError``.
    package init(_ text: String, allowingStars: Bool = false) throws(TypedTextError) {
        var reader = TypedText(text)
        self = try reader.path(allowingStars: allowingStars)
        try reader.finishPath()
    }

    /// The path through members with these names. None may need quotes.
    package init(members names: String...) {
        self.init(steps: names.map { .name(Array($0.utf8)) }, description: names.joined(separator: "."))
    }

    package init(steps: [Step], description: String) {
        self.steps = steps
        self.description = description
    }

    /// The path of the event's identity.
    package static let id = EventPath(members: "id")

    /// Whether the path equals another or continues it.
    package func isWithin(_ other: EventPath) -> Bool { steps.starts(with: other.steps) }
}

/// Two paths are equal if their steps are equal, however they are written.
extension EventPath: Hashable {
    package static func == (left: EventPath, right: EventPath) -> Bool { left.steps == right.steps }

    package func hash(into hasher: inout Hasher) { hasher.combine(steps) }
}

extension TypedText {
    /// Whether a path can start here. Values start with a quote, a digit or a minus.
    package var isAtPath: Bool {
        guard let next else { return false }
        return next == "." || next == "*" || (Self.isInName(next) && next != "-" && !("0"..."9").contains(next))
    }

    /// Parses a path and the surrounding white space; ``EventPath`` documents the syntax.
    ///
    /// - Parameter allowingStars: Whether the path may match several values.
    package mutating func path(allowingStars: Bool = false) throws(TypedTextError) -> EventPath {
        skipSpace()
        let start = location
        _ = take(".")
        var steps = [try member(allowingStars)]
        while true {
            if take(".") {
                steps.append(try member(allowingStars))
            } else if take("[") {
                steps.append(try element(allowingStars))
            } else {
                break
            }
        }
        let path = EventPath(steps: steps, description: text(from: start))
        skipSpace()
        return path
    }

    /// Checks that nothing follows a path.
    package func finishPath() throws(TypedTextError) {
        guard isAtEnd else { throw error("unexpected character in a path: quote names with special characters") }
    }

    private mutating func member(_ allowingStars: Bool) throws(TypedTextError) -> EventPath.Step {
        if next == "\"" { return .name(Array(try quoted().utf8)) }
        if try star(allowingStars) { return .any }
        let name = takeName()
        guard !name.isEmpty else { throw error("expected a member's name, such as event.value.page") }
        return .name(Array(name.utf8))
    }

    /// Parses the content after an opening bracket.
    private mutating func element(_ allowingStars: Bool) throws(TypedTextError) -> EventPath.Step {
        var step = EventPath.Step.any
        if try !star(allowingStars) {
            let start = location
            guard let number = Int(take { ("0"..."9").contains($0) }), number <= 1_000_000 else {
                throw error("expected an element's index, from 0\(allowingStars ? ", or *" : "")", at: start)
            }
            step = .element(number)
        }
        guard take("]") else { throw error("expected ]") }
        return step
    }

    private mutating func star(_ isAllowed: Bool) throws(TypedTextError) -> Bool {
        guard next == "*" else { return false }
        guard isAllowed else { throw error("* matches many values, but one is required here: name it") }
        return take("*")
    }
}
