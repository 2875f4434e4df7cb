package import JSONSchema

/// Checks the lines of a log against a plan: the envelope, then the event against the schema that the line names.
///
/// ```swift
/// var checker = LineChecker(try CompiledPlan(plan))
/// for line in lines { if let event = checker.validEvent(line) { … } else { report(checker.check(line).findings) } }
/// ```
///
/// Use a checker on one thread at a time. Checking a valid line doesn't allocate.
public struct LineChecker: ~Copyable {
    /// The maximum length of a line in bytes, without its line feed (the limit of the wire format).
    public static let maximumLength = 32 << 10
    /// The limit of ``ValidationLimits/steps`` for a line's envelope, and for its event.
    package static let maximumSteps = 1_000_000

    let plan: CompiledPlan
    var containers: [ReusedValidator]
    var events: [ReusedValidator]
    /// The quoted references of events, `"search/1-0-0"`, and the quoted event names.
    private var references: TextIndex
    private let names: TextIndex
    let pageRules: ReusedValidator?
    let maximumFindings: Int
    /// The time of the last line that ``validEvent(_:)`` found valid, in microseconds since 1970; nil if it exceeds 64
    /// bits.
    public private(set) var microseconds: Int64?
    private let work: CheckingWork
    /// The number of steps, in the unit of ``ValidationLimits/steps``, for all lines so far.
    package var steps: Int { work.steps }

    /// Makes a checker.
    ///
    /// - Parameter maximumFindings: The maximum number of findings for one line.
    public init(_ plan: CompiledPlan, maximumFindings: Int = 20) {
        self.plan = plan
        let limits = ValidationLimits(
            text: JSONLimits(maximumBytes: Self.maximumLength, isInteroperable: true), steps: Self.maximumSteps)
        let work = CheckingWork()
        self.work = work
        containers = plan.containers.map { ReusedValidator($0, limits, counting: work) }
        events = plan.events.map { ReusedValidator($0, limits, counting: work) }
        references = TextIndex(plan.plan.events.map { "\"\($0.reference)\"" })
        names = TextIndex(plan.plan.events.map { "\"\($0.name)\"" })
        pageRules = plan.pageRules.map { ReusedValidator($0, limits, counting: work) }
        self.maximumFindings = maximumFindings
    }

    /// Returns the index of a valid line's event in ``EventPlan/events``; nil if the line is invalid.
    ///
    /// - Parameter line: The bytes of the line, without the line feed.
    public mutating func validEvent(_ line: UnsafeRawBufferPointer) -> Int? {
        guard line.count <= Self.maximumLength, let container = containers.first,
            container.verdict(on: line) == .valid
        else { return nil }
        func bytes(_ member: ContainerMember) -> UnsafeRawBufferPointer? {
            container.validator.captured(member.index).map { UnsafeRawBufferPointer(rebasing: line[$0]) }
        }
        guard let reference = bytes(.schema), let event = bytes(.event),
            let time = bytes(.time).map({ LineTime($0) }), time.isWellFormed,
            let location = references.find(reference), events[location].verdict(on: event) == .valid,
            let name = events[location].validator.captured(0), names.isEqual(location, event[name])
        else { return nil }
        if let pageRules, plan.pageViews.contains(location), pageRules.verdict(on: event) != .valid {
            return nil
        }
        microseconds = time.microseconds
        return location
    }
}

extension LineChecker {
    /// Returns the byte range of a member's value, including quotes, in the last line that ``validEvent(_:)`` found
    /// valid.
    package func position(of member: ContainerMember) -> Range<Int>? {
        containers.first?.validator.captured(member.index)
    }
}

/// A reference to a validator, whose memory is reused from line to line.
package final class ReusedValidator {
    package var validator: SchemaValidator
    private let work: CheckingWork

    package init(
        _ schema: CompiledSchema, _ limits: ValidationLimits = .standard, counting work: CheckingWork = CheckingWork()
    ) {
        validator = SchemaValidator(schema, limits: limits)
        self.work = work
    }

    func verdict(on text: UnsafeRawBufferPointer) -> Verdict {
        defer { work.steps &+= validator.takeSteps() }
        return validator.verdict(on: text)
    }

    func violations(
        in text: UnsafeRawBufferPointer, atMost maximum: Int
    ) -> (verdict: Verdict, violations: [SchemaViolation]) {
        defer { work.steps &+= validator.takeSteps() }
        return validator.violations(in: text, atMost: maximum)
    }
}

/// Counts the steps of a checker's validators.
package final class CheckingWork {
    fileprivate(set) var steps = 0

    package init() {}
}
