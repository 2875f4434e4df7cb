/// Checks one text after the other against a schema, and keeps its memory in between: after the first few it allocates
/// nothing for valid ones that one pass can check.
///
/// ```swift
/// var validator = SchemaValidator(schema)
/// for line in lines where line.withUnsafeBytes({ validator.verdict(on: $0) }) != .valid { … }
/// ```
///
/// One thread at a time may use a validator; make one for each.
public struct SchemaValidator: ~Copyable {
    var stream: StreamEvaluator
    private var tape = JSONTape()
    private let limits: ValidationLimits

    /// Makes a validator.
    public init(_ schema: CompiledSchema, limits: ValidationLimits = .standard) {
        stream = StreamEvaluator(schema.program, limits)
        self.limits = limits
    }

    /// What the schema says of a text.
    public mutating func verdict(on text: UnsafeRawBufferPointer) -> Verdict {
        text.withMemoryRebound(to: UInt8.self) { text in
            stream.isValid(text) ? .valid : exactVerdict(on: text)
        }
    }

    /// The verdict, and the rules that the text breaks, in the order of the schema.
    ///
    /// - Parameter maximum: How many violations to collect at most.
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

    /// Where the value of a captured member stands in the last text, in bytes from its start; nil if it is not there, if the
    /// text is not valid, or if the outermost object could not be checked in one pass.
    ///
    /// - Parameter index: The place of the name in ``SchemaOptions/captures``.
    public func captured(_ index: Int) -> Range<Int>? {
        stream.captured.indices.contains(index) ? stream.captured[index] : nil
    }

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
    /// What the full evaluator alone says of a text.
    package mutating func verdictByTape(on text: UnsafeRawBufferPointer) -> Verdict {
        text.withMemoryRebound(to: UInt8.self) { exactVerdict(on: $0) }
    }

    /// Whether the one pass alone is certain that a text is valid.
    package mutating func isValidInOnePass(_ text: UnsafeRawBufferPointer) -> Bool {
        text.withMemoryRebound(to: UInt8.self) { stream.isValid($0) }
    }
}
