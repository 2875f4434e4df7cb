/// The keywords of JSON Schema 2020-12.
///
/// Code that distinguishes keywords switches over this type without `default`, so that a new case compiles only after
/// the validator, lint, diff, pages, code generation and fake data have all handled it. The properties below describe
/// what keywords have in common: how a keyword contains schemas, and the values to which it applies.
///
/// For definitions, see [JSON Schema Core](https://json-schema.org/draft/2020-12/json-schema-core) and
/// [Validation](https://json-schema.org/draft/2020-12/json-schema-validation).
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

    // Schemas of the same value.
    case allOf, anyOf, oneOf, not
    case `if`, then, `else`
    case dependentSchemas

    // Schemas of elements and members.
    case prefixItems, items, contains
    case properties, patternProperties, additionalProperties, propertyNames
    case unevaluatedItems, unevaluatedProperties

    // Limits.
    case type, `enum`, const
    case multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum
    case maxLength, minLength, pattern, format
    case maxItems, minItems, uniqueItems, maxContains, minContains
    case maxProperties, minProperties, required, dependentRequired

    // The content of a string.
    case contentEncoding, contentMediaType, contentSchema

    // Annotations.
    case title, description, `default`, deprecated, readOnly, writeOnly, examples

    package var description: String { rawValue }

    /// How a keyword's value contains schemas.
    package enum Content: Sendable {
        /// One schema.
        case schema
        /// An array of schemas.
        case list
        /// An object of schemas.
        case map
        /// A reference to a schema.
        case reference
        /// A value without schemas.
        case value
    }

    /// How the keyword contains schemas.
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

    /// The purpose of a keyword.
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

    /// The purpose of the keyword.
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

    /// The types to which the keyword applies; nil for keywords that apply to every value, or to the schema.
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
    /// Returns the value of a keyword; nil if the schema does not have it.
    package subscript(keyword: SchemaKeyword) -> JSONDocument.Value? { self[keyword.rawValue] }

    /// The keywords of a schema with their values, in the order of the text, without other members.
    package var keywords: [(keyword: SchemaKeyword, member: Member)] {
        members.compactMap { member in SchemaKeyword(rawValue: member.name).map { ($0, member) } }
    }
}
