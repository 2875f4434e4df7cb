/// The keywords of JSON Schema 2020-12, each spelled once.
///
/// Code that treats keywords differently switches over this type without `default`: a new case then does not compile until
/// the validator, lint, diff, pages, code generation and fake data each say what it means to them. The attributes below
/// answer what they have in common: where a keyword holds schemas, and which values it says something about.
///
/// [JSON Schema Core](https://json-schema.org/draft/2020-12/json-schema-core) and
/// [Validation](https://json-schema.org/draft/2020-12/json-schema-validation) define them.
package enum SchemaKeyword: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
    // Core.
    case schema = "$schema"
    case vocabulary = "$vocabulary"
    case id = "$id"
    case anchor = "$anchor"
    case dynamicAnchor = "$dynamicAnchor"
    case ref = "$ref"
    case dynamicRef = "$dynamicRef"
    case defs = "$defs"
    case comment = "$comment"

    // Schemas for the same value.
    case allOf, anyOf, oneOf, not
    case `if`, then, `else`
    case dependentSchemas

    // Schemas for elements and members.
    case prefixItems, items, contains
    case properties, patternProperties, additionalProperties, propertyNames
    case unevaluatedItems, unevaluatedProperties

    // Limits.
    case type, `enum`, const
    case multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum
    case maxLength, minLength, pattern, format
    case maxItems, minItems, uniqueItems, maxContains, minContains
    case maxProperties, minProperties, required, dependentRequired

    // What a string holds.
    case contentEncoding, contentMediaType, contentSchema

    // Annotations.
    case title, description, `default`, deprecated, readOnly, writeOnly, examples

    /// The name, as schemas write it.
    package var description: String { rawValue }

    /// The JSON of a keyword's value, as far as schemas are in it.
    package enum Content: Sendable {
        /// One schema.
        case schema
        /// An array of schemas.
        case list
        /// An object of schemas.
        case map
        /// A reference to a schema.
        case reference
        /// A value that holds no schema.
        case value
    }

    /// Where the keyword holds schemas.
    package var content: Content {
        switch self {
        case .not, .if, .then, .else, .items, .contains, .additionalProperties, .propertyNames, .unevaluatedItems,
            .unevaluatedProperties, .contentSchema:
            .schema
        case .allOf, .anyOf, .oneOf, .prefixItems: .list
        case .defs, .properties, .patternProperties, .dependentSchemas: .map
        case .ref, .dynamicRef: .reference
        case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .comment, .type, .enum, .const, .multipleOf, .maximum,
            .exclusiveMaximum, .minimum, .exclusiveMinimum, .maxLength, .minLength, .pattern, .format, .maxItems,
            .minItems, .uniqueItems, .maxContains, .minContains, .maxProperties, .minProperties, .required,
            .dependentRequired, .contentEncoding, .contentMediaType, .title, .description, .default, .deprecated,
            .readOnly, .writeOnly, .examples:
            .value
        }
    }

    /// What the keyword is for.
    package enum Role: Sendable {
        /// Names the schema, or its dialect.
        case identity
        /// Applies schemas to the same value.
        case inPlace
        /// Applies schemas to members, elements or names.
        case inside
        /// Limits the value itself.
        case limit
        /// Limits no value.
        case annotation
    }

    /// What the keyword is for.
    package var role: Role {
        switch self {
        case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .defs: .identity
        case .ref, .dynamicRef, .allOf, .anyOf, .oneOf, .not, .if, .then, .else, .dependentSchemas: .inPlace
        case .prefixItems, .items, .contains, .properties, .patternProperties, .additionalProperties, .propertyNames,
            .unevaluatedItems, .unevaluatedProperties:
            .inside
        case .type, .enum, .const, .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum, .maxLength,
            .minLength, .pattern, .format, .maxItems, .minItems, .uniqueItems, .maxContains, .minContains,
            .maxProperties, .minProperties, .required, .dependentRequired:
            .limit
        case .comment, .contentEncoding, .contentMediaType, .contentSchema, .title, .description, .default,
            .deprecated, .readOnly, .writeOnly, .examples:
            .annotation
        }
    }

    /// The types that the keyword says something about; nil for keywords that apply to every value, or to the schema.
    package var appliesTo: JSONKind? {
        switch self {
        case .multipleOf, .maximum, .exclusiveMaximum, .minimum, .exclusiveMinimum: .number
        case .maxLength, .minLength, .pattern, .format, .contentEncoding, .contentMediaType, .contentSchema: .string
        case .prefixItems, .items, .contains, .unevaluatedItems, .maxItems, .minItems, .uniqueItems, .maxContains,
            .minContains:
            .array
        case .dependentSchemas, .properties, .patternProperties, .additionalProperties, .propertyNames,
            .unevaluatedProperties, .maxProperties, .minProperties, .required, .dependentRequired:
            .object
        case .schema, .vocabulary, .id, .anchor, .dynamicAnchor, .ref, .dynamicRef, .defs, .comment, .allOf, .anyOf,
            .oneOf, .not, .if, .then, .else, .type, .enum, .const, .title, .description, .default, .deprecated,
            .readOnly, .writeOnly, .examples:
            nil
        }
    }
}

extension JSONDocument.Value {
    /// What a keyword of a schema says; nil if the schema does not have it.
    package subscript(keyword: SchemaKeyword) -> JSONDocument.Value? { self[keyword.rawValue] }

    /// The keywords of a schema with their values, as written; members that are no keyword are left out.
    package var keywords: [(keyword: SchemaKeyword, member: Member)] {
        members.compactMap { member in SchemaKeyword(rawValue: member.name).map { ($0, member) } }
    }
}
