internal import JSONSchema

/// Asks a validator about small schemas that stand alone.
final class AtomOracle {
    private var compiled: [ExactJSON: CompiledSchema?] = [:]

    /// Whether a value meets a schema; nil if the validator cannot tell.
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
        // Nil stands for a schema that the validator refuses: its set stays open.
        guard let document = try? JSONDocument(Array(schema.written().utf8)) else { return nil }
        return try? SchemaSet.compile(document, options: SchemaOptions(assertsFormats: true))
    }
}

/// Tells which names match a pattern.
final class NamePatterns {
    private let oracle = AtomOracle()

    /// Whether a name matches; a pattern that cannot be asked matches none.
    func matches(_ pattern: String, _ name: String) -> Bool {
        oracle.ask(.schema(.pattern, .string(ExactText(pattern))), .string(ExactText(name))) ?? false
    }
}
