package import JSONSchema

/// One change between two schemas.
package struct SchemaChange: Sendable {
    /// The rule for this kind of change.
    package let rule: ChangeRule
    /// The old location; nil if it did not exist.
    package let old: ChangeLocation?
    /// The new location; nil if it no longer exists.
    package let new: ChangeLocation?
    /// The path to the value in the event; `*` for any element or any other member.
    package let path: [String]
    package let keyword: String
    /// The change, as a clause.
    package let explanation: String
    /// The required bump.
    package internal(set) var needed: SchemaBump
    /// How the bump was decided.
    package internal(set) var basis: ChangeBasis = .rule
    /// An event that shows the change; nil if none was found.
    package internal(set) var witness: DiffWitness?

    /// Returns the same change at another value.
    func moved(to path: [String]) -> SchemaChange {
        SchemaChange(
            rule: rule, old: old, new: new, path: path, keyword: keyword, explanation: explanation, needed: needed,
            basis: basis, witness: witness)
    }
}

package struct ChangeLocation: Hashable, Sendable {
    /// The file, as messages name it.
    package let file: String
    /// The line, from 1.
    package let line: Int
    /// The path from the root of the file.
    package let pointer: JSONPointer
}

/// An event on which the two schemas disagree, as validators confirmed.
package struct DiffWitness: Hashable, Sendable {
    /// The schema that accepts the event.
    package enum Side: String, Sendable {
        /// The old schema accepts it, the new one rejects it.
        case old
        /// The new schema accepts it, the old one rejects it.
        case new
    }

    /// The schema that accepts the event.
    package let side: Side
    /// The event as JSON on one line.
    package let json: String
    /// The keywords with which the other schema rejects it.
    let rejections: [Rejection]
    /// The location of the difference in the event; empty if unknown.
    let trail: [String]
}

/// A keyword with which a schema rejects an event.
struct Rejection: Hashable, Sendable {
    /// The violated keyword.
    let keyword: String
    /// The path to it through the schema.
    let way: [String]
}
