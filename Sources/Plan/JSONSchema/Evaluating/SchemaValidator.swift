/// Validates texts against a schema, reusing its memory. After the first few texts, it allocates nothing for valid
/// texts that one pass can check.
///
/// ```swift
/// var validator = SchemaValidator(schema)
/// for line in lines where line.withUnsafeBytes({ validator.verdict(on: $0) }) != .valid { … }
/// ```
///
/// Use a validator on one thread at a time; create one for each thread.
public struct SchemaValidator: ~Copyable {
    var stream: StreamEvaluator
    private var tape = JSONTape()
    private let limits: ValidationLimits

    /// Makes a validator.
    public init(_ schema: CompiledSchema, limits: ValidationLimits = .standard) {
        stream = StreamEvaluator(schema.program, limits)
        self.limits = limits
    }

    /// Validates a text.
    public mutating func verdict(on text: UnsafeRawBufferPointer) -> Verdict {
        text.withMemoryRebound(to: UInt8.self) { text in
            stream.isValid(text) ? .valid : exactVerdict(on: text)
        }
    }

    /// Returns the verdict, and the violations in the order of the schema.
    ///
    /// - Parameter maximum: The maximum number of violations to collect.
    public mutating func violations(
        in text: UnsafeRawBufferPointer, atMost maximum: Int = 100
    ) -> (verdict: Verdict, violations: [SchemaViolation]) {
        text.withMemoryRebound(to: UInt8.self) { text in
            if stream.isValid(text) { return (.valid, []) }
            stream.tapeEvaluator.collector = ViolationCollector(maximum: maximum)
            defer { stream.tapeEvaluator.collector = nil }
            let verdict = exactVerdict(on: text)
            return (verdict, stream.tapeEvaluator.collector?.violations ?? [])
        }
    }

    /// Returns the byte range of a captured member's value in the last text; nil if the member is missing, the text is
    /// invalid, or the root object could not be checked in one pass.
    ///
    /// - Parameter index: The index of the name in ``SchemaOptions/captures``.
    public func captured(_ index: Int) -> Range<Int>? {
        stream.captured.indices.contains(index) ? stream.captured[index] : nil
    }

    /// Returns the number of steps, in the unit of ``ValidationLimits/steps``, for all texts since the last call.
    package mutating func takeSteps() -> Int { stream.tapeEvaluator.takeSteps() }

    mutating func exactVerdict(on text: UnsafeBufferPointer<UInt8>) -> Verdict {
        do throws(JSONTextError) {
            try tape.read(text, limits: limits.text)
        } catch {
            return .unreadable(error)
        }
        return tape.nodes.withUnsafeBufferPointer { nodes in
            let view = TapeView(
                nodes: nodes.baseAddress.unsafelyUnwrapped, text: text.baseAddress.unsafelyUnwrapped)
            stream.tapeEvaluator.begin()
            do throws(ExhaustedLimit) {
                return try stream.tapeEvaluator.evaluate(0, view) ? .valid : .invalid
            } catch {
                return .undecided(error)
            }
        }
    }
}

// For tests that compare the two evaluators.
extension SchemaValidator {
    /// Validates a text with only the full evaluator.
    package mutating func verdictByTape(on text: UnsafeRawBufferPointer) -> Verdict {
        text.withMemoryRebound(to: UInt8.self) { exactVerdict(on: $0) }
    }

    /// Returns whether one pass alone proves that a text is valid.
    package mutating func isValidInOnePass(_ text: UnsafeRawBufferPointer) -> Bool {
        text.withMemoryRebound(to: UInt8.self) { stream.isValid($0) }
    }
}
