package import JSONSchema

/// The annotations that a plan adds to JSON Schema. You may use other names that start with `x-` freely.
///
/// As with ``SchemaKeyword``, code that distinguishes annotations switches over this type without `default`.
package enum PlanAnnotation: String, CaseIterable, Hashable, Sendable {
    /// Whether a value is personal, and how it is redacted: see ``PersonalData``.
    case pii = "x-pii"
    /// The reason why an object accepts undescribed members.
    case open = "x-open"
    /// The date on which a version was published.
    case since = "x-since"
    /// The exceptions from lint rules, each with a reason.
    case lint = "x-lint"
    /// The unit of a number: `ms`, `EUR`, `bytes`.
    case unit = "x-unit"
    /// The priority of an event: see ``SchemaPriority``.
    case priority = "x-priority"
    /// The purpose of an event: see ``PlanPurposes``.
    case purpose = "x-purpose"
    /// Why an event of the purpose `exempt` is strictly necessary.
    case purposeJustification = "x-purpose-justification"

    // Names in Swift.
    case swiftName = "x-swift-name"
    case swiftNames = "x-swift-names"
    case swiftType = "x-swift-type"
    case swiftLabel = "x-swift-label"
    case swiftFactory = "x-swift-factory"
}

package enum SchemaMemberName: Hashable, Sendable {
    /// A keyword of JSON Schema.
    case keyword(SchemaKeyword)
    /// An annotation of the plan.
    case annotation(PlanAnnotation)
    /// Any other name, which validators ignore.
    case other(String)

    package init(_ name: String) {
        if let keyword = SchemaKeyword(rawValue: name) {
            self = .keyword(keyword)
        } else if let annotation = PlanAnnotation(rawValue: name) {
            self = .annotation(annotation)
        } else {
            self = .other(name)
        }
    }
}

extension JSONDocument.Value {
    /// Returns the value of an annotation; nil if the schema does not have it.
    package subscript(annotation: PlanAnnotation) -> JSONDocument.Value? { self[annotation.rawValue] }
}

extension Subschema {
    /// Returns the value of an annotation; nil if the schema does not have it.
    package subscript(annotation: PlanAnnotation) -> JSONDocument.Value? { value[annotation] }
}

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
