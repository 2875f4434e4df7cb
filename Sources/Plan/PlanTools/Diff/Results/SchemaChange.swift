/// One change between two schemas.
package struct SchemaChange: Sendable {
    /// Its kind.
    package let rule: ChangeRule
    /// Where it was written; nil for what was not there.
    package let old: ChangePlace?
    /// Where it is written; nil for what is not there any more.
    package let new: ChangePlace?
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
