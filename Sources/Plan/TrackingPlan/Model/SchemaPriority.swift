package import JSONSchema

/// What the schema of an event says with `x-priority`: how much it matters that such an event is not dropped. The names
/// are those of `EventPriority`.
package enum SchemaPriority: String, CaseIterable, Sendable {
    /// The same as no `x-priority`.
    case normal
    /// A quarter of the journal's limit is kept for such events.
    case critical

    /// Reads the value of `x-priority`; nil for anything else than one of the names.
    package init?(_ value: JSONDocument.Value) {
        guard let name = value.string else { return nil }
        self.init(rawValue: name)
    }
}
