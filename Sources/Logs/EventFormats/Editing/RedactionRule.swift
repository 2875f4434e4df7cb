package import EventModel

/// What happens to a value that must not get out: `event.value.query`, `user_id=hash`, `event.value.user_info.*=drop`.
package struct RedactionRule: Hashable, Sendable {
    /// What takes a value's place. Where several rules meet in one value, the first of these wins.
    package enum Action: String, CaseIterable, Sendable {
        /// Nothing: the member or element goes.
        case drop
        /// The text `[redacted]`.
        case mask
        /// The SHA-256 of a string's UTF-8, or of another value's bytes, as 64 hex digits in lower case: what a
        /// schema's `"x-pii": "hash"` gives. A pseudonym, no secret: whoever can guess the text can compute it.
        case hash
    }

    /// Where the values stand.
    package let path: EventPath
    /// What happens to them.
    package let action: Action

    /// Reads a rule: a path, and after `=` an action; without one, the value is masked.
    ///
    /// - Throws: `TypedTextError`.
    package init(_ text: String) throws(TypedTextError) {
        var reader = TypedText(text)
        path = try reader.path(allowingStars: true)
        if reader.take("=") {
            let start = reader.place
            guard let action = Action(rawValue: reader.takeName()) else {
                throw reader.error("write drop, mask or hash after the =", at: start)
            }
            self.action = action
        } else {
            action = .mask
        }
        try reader.finishPath()
    }
}
