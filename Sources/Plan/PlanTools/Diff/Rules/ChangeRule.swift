/// A kind of change, and what it asks of the version's number.
package struct ChangeRule: Hashable, Sendable {
    /// The name that reports use; never renamed.
    package let id: String
    /// The keywords it is about.
    package let keywords: String
    /// What changed.
    package let change: String
    /// The smallest bump that a change of this kind needs, as long as a comparison of what both schemas accept does
    /// not know better.
    package let bump: SchemaBump
    /// Why.
    package let reason: String
    /// The rule for the same change backwards.
    package let reverse: String
    /// A schema before and after, of a member of an event's value.
    package let before: String
    package let after: String
    /// Whether it is about what events are valid: only then can a comparison know better.
    package let isAboutValidity: Bool

    init(
        _ id: String, _ keywords: String, _ change: String, _ bump: SchemaBump, reverse: String, _ before: String,
        _ after: String, isAboutValidity: Bool = true, because reason: String
    ) {
        self.id = id
        self.keywords = keywords
        self.change = change
        self.bump = bump
        self.reason = reason
        self.reverse = reverse
        self.before = before
        self.after = after
        self.isAboutValidity = isAboutValidity
    }
}
