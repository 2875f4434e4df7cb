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
    /// A schema before and after, of a member of an event's value. Text that begins with a quote is members of the event's
    /// own schema.
    package let before: String
    package let after: String
    /// Whether it is about what events are valid: only then can a comparison know better.
    package let isAboutValidity: Bool

    init(
        _ id: String, _ keywords: String, _ change: String, _ bump: SchemaBump, reverse: String,
        isAboutValidity: Bool = true, because reason: String
    ) {
        self.id = id
        self.keywords = keywords
        self.change = change
        self.bump = bump
        self.reason = reason
        self.reverse = reverse
        (before, after) = Self.examples[id] ?? ("", "")
        self.isAboutValidity = isAboutValidity
    }

    /// From `Examples/changes.txt`: the name of a rule, a schema before and one after, then an empty line.
    private static let examples: [String: (before: String, after: String)] = {
        let lines = String(decoding: PackageResources.changes_txt, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: true
        ).map(String.init)
        let starts = stride(from: 0, to: lines.count - 2, by: 3)
        return Dictionary(
            starts.map { (lines[$0], (lines[$0 + 1], lines[$0 + 2])) }, uniquingKeysWith: { first, _ in first })
    }()
}

/// Every rule: what the comparison of two schemas can find.
package enum ChangeRules {
    /// In the order of the documentation.
    package static let all: [ChangeRule] =
        types + objects + members + values + numbers + strings + arrays + combined + notes

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    /// The rule of that name.
    package static func rule(_ id: String) -> ChangeRule? { byID[id] }
}
