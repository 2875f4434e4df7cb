package import JSONSchema

/// One change between two schemas.
package struct SchemaChange: Sendable {
    /// Its kind.
    package let rule: ChangeRule
    /// Where it was written; nil for what was not there.
    package let old: ChangeLocation?
    /// Where it is written; nil for what is not there any more.
    package let new: ChangeLocation?
    /// The names on the way to the value that it is about; `*` for any element or any other member.
    package let path: [String]
    /// The keyword that changed.
    package let keyword: String
    /// What changed, in a clause.
    package let explanation: String
    /// The bump that it needs.
    package internal(set) var needed: SchemaBump
    /// How that was decided.
    package internal(set) var basis: ChangeBasis = .rule
    /// An event that shows it; nil if none was found.
    package internal(set) var witness: DiffWitness?

    /// The same change at another value.
    func moved(to path: [String]) -> SchemaChange {
        SchemaChange(
            rule: rule, old: old, new: new, path: path, keyword: keyword, explanation: explanation, needed: needed,
            basis: basis, witness: witness)
    }
}

/// Where a change is written.
package struct ChangeLocation: Hashable, Sendable {
    /// The file, as messages name it.
    package let file: String
    /// From 1.
    package let line: Int
    /// The way to it from the start of the file.
    package let pointer: JSONPointer
}

/// An event that the two schemas do not judge alike; a validator was asked about both.
package struct DiffWitness: Hashable, Sendable {
    /// Which of the two takes it.
    package enum Side: String, Sendable {
        /// The old one takes it, the new one refuses it.
        case old
        /// The new one takes it, the old one refuses it.
        case new
    }

    /// Which of the two takes it.
    package let side: Side
    /// The event as JSON in one line.
    package let json: String
    /// The rules by which the other refuses it.
    let refusals: [Refusal]
    /// Where in the event the sets differ; empty if that is not known.
    let trail: [String]
}

/// A rule by which a schema refuses an event.
struct Refusal: Hashable, Sendable {
    /// The keyword that is broken.
    let keyword: String
    /// The way to it through the schema.
    let way: [String]
}
