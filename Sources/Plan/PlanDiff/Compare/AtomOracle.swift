internal import JSONSchema

/// Validates values against small schemas without references.
final class AtomOracle {
    private var compiled: [ExactJSON: CompiledSchema?] = [:]

    /// Returns whether a value satisfies a schema; nil if the validator cannot decide.
    func ask(_ schema: ExactJSON, _ value: ExactJSON) -> Bool? {
        if compiled[schema] == nil { compiled[schema] = .some(Self.compile(schema)) }
        guard let validator = compiled[schema] ?? nil else { return nil }
        switch validator.verdict(on: Array(value.written().utf8)) {
        case .valid: return true
        case .invalid: return false
        case .unreadable, .undecided: return nil
        }
    }

    private static func compile(_ schema: ExactJSON) -> CompiledSchema? {
        // nil caches a schema that doesn't compile; comparisons that need it stay undecided.
        guard let document = JSONDocument(validating: Array(schema.written().utf8)) else { return nil }
        return try? SchemaSet.compile(document, options: SchemaOptions(assertsFormats: true))
    }
}

/// Matches member names against patterns.
final class NamePatterns {
    private let oracle = AtomOracle()

    /// Returns whether a name matches; a pattern that doesn't compile matches no name.
    func matches(_ pattern: String, _ name: String) -> Bool {
        oracle.ask(.schema(.pattern, .string(ExactText(pattern))), .string(ExactText(name))) ?? false
    }
}
