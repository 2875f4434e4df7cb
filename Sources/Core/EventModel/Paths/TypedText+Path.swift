extension TypedText {
    /// Whether a path can begin here: with anything but a quote, a digit and a minus, with which values begin.
    package var isAtPath: Bool {
        guard let next else { return false }
        return next == "." || next == "*" || (Self.isInName(next) && next != "-" && !("0"..."9").contains(next))
    }

    /// Takes a path and the space around it; its grammar is at ``EventPath``.
    ///
    /// - Parameter allowingStars: Whether it may stand for many values.
    package mutating func path(allowingStars: Bool = false) throws(TypedTextError) -> EventPath {
        skipSpace()
        let start = place
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

    /// Checks that nothing is left behind a path.
    package func finishPath() throws(TypedTextError) {
        guard isAtEnd else { throw error("this does not belong to a path: put names with other characters in quotes") }
    }

    private mutating func member(_ allowingStars: Bool) throws(TypedTextError) -> EventPath.Step {
        if next == "\"" { return .name(Array(try quoted().utf8)) }
        if try star(allowingStars) { return .any }
        let name = takeName()
        guard !name.isEmpty else { throw error("expected a member's name, such as event.value.page") }
        return .name(Array(name.utf8))
    }

    /// What stands behind an opening bracket.
    private mutating func element(_ allowingStars: Bool) throws(TypedTextError) -> EventPath.Step {
        var step = EventPath.Step.any
        if try !star(allowingStars) {
            let start = place
            guard let number = Int(take { ("0"..."9").contains($0) }), number <= 1_000_000 else {
                throw error("expected an element's number, from 0\(allowingStars ? ", or *" : "")", at: start)
            }
            step = .element(number)
        }
        guard take("]") else { throw error("expected ]") }
        return step
    }

    private mutating func star(_ isAllowed: Bool) throws(TypedTextError) -> Bool {
        guard next == "*" else { return false }
        guard isAllowed else { throw error("* stands for many values, and one is needed here: name it") }
        return take("*")
    }
}
