/// A compiled schema that validates values. Create it with a ``SchemaSet``.
///
/// A compiled schema is immutable: any number of threads may share it, each with its own ``SchemaValidator``. The
/// methods here create a validator for one call; keep a validator to check many values.
public final class CompiledSchema: Sendable {
    let program: Program

    init(_ program: Program) { self.program = program }

    /// The number of compiled schemas, including subschemas.
    public var schemaCount: Int { program.nodes.count }

    /// Whether the whole schema is checked in one pass over the bytes, without an intermediate list of values.
    public var isStreamed: Bool {
        (0..<program.nodes.count).allSatisfy { program.nodes.base[Int(program.nodes.base[$0].target)].isStreamable }
    }

    /// Returns whether a text is JSON that satisfies the schema. Also returns false if a limit was reached;
    /// ``verdict(on:limits:)`` distinguishes the two.
    public func isValid(_ text: [UInt8], limits: ValidationLimits = .standard) -> Bool {
        verdict(on: text, limits: limits) == .valid
    }

    /// Validates a text.
    public func verdict(on text: [UInt8], limits: ValidationLimits = .standard) -> Verdict {
        var validator = SchemaValidator(self, limits: limits)
        return text.withUnsafeBytes { validator.verdict(on: $0) }
    }

    /// Returns the violations in a text, in the order of the schema; none if the text is not JSON.
    public func violations(
        in text: [UInt8], atMost maximum: Int = 100, limits: ValidationLimits = .standard
    ) -> [SchemaViolation] {
        var validator = SchemaValidator(self, limits: limits)
        return text.withUnsafeBytes { validator.violations(in: $0, atMost: maximum).violations }
    }

    /// The meta-schema of draft 2020-12, which validates schemas.
    // Nothing is lost: the text is part of the program, and a test compiles it.
    public static let metaSchema: CompiledSchema? = try? SchemaSet().compile(Dialect.metaSchemaURI)
}

/// Options for compiling schemas.
public struct SchemaOptions: Hashable, Sendable {
    /// Whether `format` is validated; otherwise it is an annotation, the standard's default. A meta-schema with the
    /// vocabulary format-assertion, required or not, enables validation for its schemas.
    public var assertsFormats: Bool
    /// The maximum number of schemas in one program, including subschemas; 100,000 by default.
    public var maximumSchemas: Int
    /// Names of root-object members whose values a validator locates while validating
    /// (``SchemaValidator/captured(_:)``); at most 8.
    public var captures: [String]

    /// Makes options.
    public init(assertsFormats: Bool = false, maximumSchemas: Int = 100_000, captures: [String] = []) {
        self.assertsFormats = assertsFormats
        self.maximumSchemas = maximumSchemas
        self.captures = Array(captures.prefix(8))
    }
}
