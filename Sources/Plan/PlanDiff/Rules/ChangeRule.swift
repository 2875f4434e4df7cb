/// A kind of change, and the version bump that it needs.
package struct ChangeRule: Hashable, Sendable {
    /// The name in reports. Names never change.
    package let id: String
    /// The affected keywords.
    package let keywords: String
    /// A short description of the change.
    package let change: String
    /// The minimum bump for this kind of change, unless the comparison of the accepted sets proves that less is enough.
    package let bump: SchemaBump
    /// The reason for the bump.
    package let reason: String
    package let reverse: String
    /// A schema before and after the change, for a member of an event's value. Text that starts with a quote is members
    /// of the event's own schema.
    package let before: String
    package let after: String
    /// Whether the rule is about which events are valid. Only then can the set comparison override it.
    package let isAboutValidity: Bool

    init(
        _ id: String, keywords: String, change: String, bump: SchemaBump, reverse: String,
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

    /// The content of `Examples/changes.txt`: the name of a rule, a schema before and one after, then an empty line.
    private static let examples: [String: (before: String, after: String)] = {
        let lines = String(decoding: PackageResources.changes_txt, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: true
        ).map(String.init)
        let starts = stride(from: 0, to: lines.count - 2, by: 3)
        return Dictionary(
            starts.map { (lines[$0], (lines[$0 + 1], lines[$0 + 2])) }, uniquingKeysWith: { first, _ in first })
    }()
}

/// Every rule of the schema comparison.
package enum ChangeRules {
    /// The rules in the order of the documentation.
    package static let all: [ChangeRule] =
        types + objects + members + values + numbers + strings + arrays + combined + notes

    private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })

    package static func rule(_ id: String) -> ChangeRule? { byID[id] }
}
