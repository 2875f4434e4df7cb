package import JSONSchema

/// The value of `x-priority` in an event's schema: the priority of keeping the event when the journal is full. The
/// names match `EventPriority`.
package enum SchemaPriority: String, CaseIterable, Sendable {
    /// The default without `x-priority`.
    case normal
    /// A quarter of the journal's limit is reserved for such events.
    case critical

    /// Reads the value of `x-priority`; nil for an unknown name.
    package init?(_ value: JSONDocument.Value) {
        guard let name = value.string else { return nil }
        self.init(rawValue: name)
    }
}
