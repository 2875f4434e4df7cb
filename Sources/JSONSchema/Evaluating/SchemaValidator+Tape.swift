extension SchemaValidator {
    /// What the full evaluator alone says of a text: for tests that compare it with the one pass.
    package mutating func verdictByTape(on text: UnsafeRawBufferPointer) -> Verdict {
        text.withMemoryRebound(to: UInt8.self) { exactVerdict(on: $0) }
    }
}
