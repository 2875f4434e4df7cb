internal import JSONSchema

/// The validator: any text against schemas that were compiled before.
///
/// The first byte of an input is the number of the schema, the second one the limits; the rest is the text.
package final class ValidatorTarget: FuzzTarget {
    package static let name = "validator"

    private let schemas: [CompiledSchema]

    package init() throws {
        schemas = try SchemaCorpus.all.map { entry in
            var set = SchemaSet()
            try set.add(JSONDocument(entry.schema.utf8), at: "https://example.org/fuzz")
            return try set.compile(
                "https://example.org/fuzz", options: SchemaOptions(assertsFormats: true, captures: ["a", "name"]))
        }
    }

    package func seeds() throws -> [[UInt8]] {
        SchemaCorpus.all.enumerated().flatMap { number, entry in
            entry.texts.enumerated().map { [UInt8(number), UInt8($0 % 4)] + Array($1.utf8) }
        }
    }

    package func run(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count >= 2 else { return }
        let number = Int(bytes[0]) % schemas.count
        let text = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(2))
        var validator = SchemaValidator(schemas[number], limits: Self.limits[Int(bytes[1]) % Self.limits.count])
        try Verdicts.compare(&validator, text, about: SchemaCorpus.all[number].schema)
        guard validator.verdict(on: text) == .valid else { return }
        for index in 0..<2 {
            guard let range = validator.captured(index) else { continue }
            try require(
                text.indices.contains(range.lowerBound) && range.upperBound <= text.count
                    && Self.isValue(text[range]), "a captured value is none")
        }
    }

    /// Whether bytes are a JSON value; a name may stand twice in an object, which a document does not take.
    private static func isValue(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        do {
            _ = try JSONDocument(bytes)
            return true
        } catch {
            return error.reason == "duplicate name in an object"
        }
    }

    private static let limits = [
        ValidationLimits(patternSteps: 20_000, steps: 200_000),
        ValidationLimits(text: .interoperable, patternSteps: 20_000, steps: 200_000),
        ValidationLimits(text: JSONLimits(maximumBytes: 200, maximumDepth: 5), patternSteps: 50, steps: 60, depth: 12),
        ValidationLimits(
            text: JSONLimits(maximumDepth: 40, isInteroperable: true), patternSteps: 500, steps: 2_000, depth: 100),
    ]
}
