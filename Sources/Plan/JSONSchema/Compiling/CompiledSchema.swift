/// A schema that is ready to check values; made by a ``SchemaSet``.
///
/// It never changes: any number of threads may use one, each with a ``SchemaValidator`` of its own. The methods here make
/// a validator for one call; keep one where many values are checked.
public final class CompiledSchema: Sendable {
    let program: Program

    init(_ program: Program) { self.program = program }

    /// How many schemas it is made of, subschemas included.
    public var schemaCount: Int { program.nodes.count }

    /// Whether the whole is checked in one pass over the bytes, without a list of values in between.
    public var isStreamed: Bool {
        (0..<program.nodes.count).allSatisfy { program.nodes.base[Int(program.nodes.base[$0].target)].isStreamable }
    }

    /// Whether a text is JSON that satisfies the schema. False also where a limit was reached: ``verdict(on:limits:)`` tells.
    public func isValid(_ text: [UInt8], limits: ValidationLimits = .standard) -> Bool {
        verdict(on: text, limits: limits) == .valid
    }

    /// What the schema says of a text.
    public func verdict(on text: [UInt8], limits: ValidationLimits = .standard) -> Verdict {
        var validator = SchemaValidator(self, limits: limits)
        return text.withUnsafeBytes { validator.verdict(on: $0) }
    }

    /// The rules that a text breaks, in the order of the schema; none if it is not JSON.
    public func violations(
        in text: [UInt8], atMost maximum: Int = 100, limits: ValidationLimits = .standard
    ) -> [SchemaViolation] {
        var validator = SchemaValidator(self, limits: limits)
        return text.withUnsafeBytes { validator.violations(in: $0, atMost: maximum).violations }
    }

    /// The meta-schema of draft 2020-12, which says what a schema must look like.
    public static let metaSchema: CompiledSchema? = try? SchemaSet().compile(Dialect.metaSchemaURI)
}

/// How schemas are compiled.
public struct SchemaOptions: Hashable, Sendable {
    /// Whether `format` is checked; else it is an annotation, as the standard has it by default. A meta-schema with
    /// the vocabulary format-assertion, required or not, turns it on for its schemas.
    public var assertsFormats: Bool
    /// How many schemas, subschemas included, one program may have: 100,000 unless set.
    public var maximumSchemas: Int
    /// Names of members of the outermost object whose values a validator finds on its way
    /// (``SchemaValidator/captured(_:)``); at most 8.
    public var captures: [String]

    /// Makes options.
    public init(assertsFormats: Bool = false, maximumSchemas: Int = 100_000, captures: [String] = []) {
        self.assertsFormats = assertsFormats
        self.maximumSchemas = maximumSchemas
        self.captures = Array(captures.prefix(8))
    }
}
