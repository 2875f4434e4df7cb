package import JSONSchema

/// A validator that stands in an array: it keeps its memory from one line to the next.
package final class ReusedValidator {
    package var validator: SchemaValidator

    package init(_ schema: CompiledSchema, _ limits: ValidationLimits = .standard) {
        validator = SchemaValidator(schema, limits: limits)
    }
}
