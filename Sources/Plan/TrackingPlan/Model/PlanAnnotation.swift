package import JSONSchema

/// The annotations that a plan adds to JSON Schema, each spelled once. Other names that begin with `x-` are free.
///
/// As with ``SchemaKeyword``, code that treats annotations differently switches over this type without `default`.
package enum PlanAnnotation: String, CaseIterable, Hashable, Sendable {
    /// Whether a value is personal, and what happens to it: see ``PersonalData``.
    case pii = "x-pii"
    /// Why an object takes members that are not described.
    case open = "x-open"
    /// The date on which a version was published.
    case since = "x-since"
    /// The rules of the linter that a schema excuses itself from, each with the reason.
    case lint = "x-lint"
    /// The unit of a number: `ms`, `EUR`, `bytes`.
    case unit = "x-unit"
    /// The priority of an event: see ``SchemaPriority``.
    case priority = "x-priority"

    // Names in Swift.
    case swiftName = "x-swift-name"
    case swiftNames = "x-swift-names"
    case swiftType = "x-swift-type"
    case swiftLabel = "x-swift-label"
    case swiftFactory = "x-swift-factory"
}

/// The name of a member of a schema.
package enum SchemaMemberName: Hashable, Sendable {
    /// JSON Schema defines it.
    case keyword(SchemaKeyword)
    /// The plan defines it.
    case annotation(PlanAnnotation)
    /// Neither does: it says nothing to a validator.
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
    /// What an annotation of a schema says; nil if the schema does not have it.
    package subscript(annotation: PlanAnnotation) -> JSONDocument.Value? { self[annotation.rawValue] }
}

extension Subschema {
    /// What an annotation says; nil if the schema does not have it.
    package subscript(annotation: PlanAnnotation) -> JSONDocument.Value? { value[annotation] }
}
