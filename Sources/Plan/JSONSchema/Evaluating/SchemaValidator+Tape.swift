// For tests that compare the two evaluators.
extension SchemaValidator {
    /// What the full evaluator alone says of a text.
    package mutating func verdictByTape(on text: UnsafeRawBufferPointer) -> Verdict {
        text.withMemoryRebound(to: UInt8.self) { exactVerdict(on: $0) }
    }

    /// Whether the one pass alone is certain that a text is valid.
    package mutating func isValidInOnePass(_ text: UnsafeRawBufferPointer) -> Bool {
        text.withMemoryRebound(to: UInt8.self) { stream.isValid($0) }
    }
}
