internal import JSONSchema

/// A validator that stands in an array: it keeps its memory from one line to the next.
final class ReusedValidator {
    var validator: SchemaValidator

    init(_ schema: CompiledSchema, _ limits: ValidationLimits) {
        validator = SchemaValidator(schema, limits: limits)
    }
}
