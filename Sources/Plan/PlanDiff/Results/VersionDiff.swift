package import EventModel

/// What changed between two versions of one event.
package struct VersionDiff: Sendable {
    /// The event's name.
    package let name: String
    /// The two versions.
    package let old: SchemaVersion
    package let new: SchemaVersion
    /// The file of the new version, as messages name it.
    package let file: String
    /// What the versions' numbers say.
    package let declared: SchemaBump
    /// What the changes need at least.
    package let needed: SchemaBump
    /// How it was decided whether every old event is still valid.
    package let basis: ChangeBasis
    /// Why sets did not decide; nil if they did.
    package let openReason: String?
    /// The changes, in the order of the schema.
    package let changes: [SchemaChange]
    /// An event that is valid no more; nil if none was found.
    package let witness: DiffWitness?

    /// Whether the versions' numbers promise more than the schemas keep.
    package var isTooSmall: Bool { declared < needed }
}

/// How it was decided which bump is needed.
package enum ChangeBasis: String, Sendable {
    /// By a document that one schema takes and the other refuses; a validator was asked about both.
    case witness
    /// By comparing the sets of all values that the schemas take.
    case proof
    /// By the table of rules, on the safe side.
    case rule
}
