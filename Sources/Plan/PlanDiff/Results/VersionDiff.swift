package import EventModel

/// The changes between two versions of one event.
package struct VersionDiff: Sendable {
    package let name: String
    /// The two versions.
    package let old: SchemaVersion
    package let new: SchemaVersion
    /// The file of the new version, as messages name it.
    package let file: String
    package let declared: SchemaBump
    /// The minimum bump for the changes.
    package let needed: SchemaBump
    /// How it was decided whether every old event is still valid.
    package let basis: ChangeBasis
    /// Why the set comparison could not decide; nil if it did.
    package let openReason: String?
    /// The changes, in the order of the schema.
    package let changes: [SchemaChange]
    /// An old event that is no longer valid; nil if none was found.
    package let witness: DiffWitness?

    /// Whether the version numbers promise more compatibility than the schemas have.
    package var isTooSmall: Bool { declared < needed }
}

/// How the required bump was decided.
package enum ChangeBasis: String, Sendable {
    /// By an event that one schema accepts and the other rejects, confirmed by validators.
    case witness
    /// By comparing the sets of all values that the schemas accept.
    case proof
    /// By the table of rules, which errs on the safe side.
    case rule
}
