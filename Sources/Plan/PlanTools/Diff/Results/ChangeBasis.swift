/// How it was decided which bump is needed.
package enum ChangeBasis: String, Sendable {
    /// By a document that one schema takes and the other refuses; a validator was asked about both.
    case witness
    /// By comparing the sets of all values that the schemas take.
    case proof
    /// By the table of rules, on the safe side.
    case rule
}
