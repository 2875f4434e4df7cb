package import JSONSchema

/// Checks the lines of a log against a plan: the container, then the event by the schema that the line names.
///
/// ```swift
/// var checker = LineChecker(try CompiledPlan(plan))
/// for line in lines { if let event = checker.validEvent(line) { … } else { report(checker.check(line).findings) } }
/// ```
///
/// One thread at a time may use a checker. Valid lines are checked without an allocation.
public struct LineChecker: ~Copyable {
    /// How many bytes a line may have, its line feed not counted (the limit of the wire format).
    public static let maximumLength = 32 << 10

    let plan: CompiledPlan
    var containers: [ReusedValidator]
    var events: [ReusedValidator]
    /// What lines call the events, `"search/1-0-0"`, and the events' names, both in quotes.
    private var references: TextIndex
    private let names: TextIndex
    let pageRules: ReusedValidator?
    let maximumFindings: Int
    /// When the line that ``validEvent(_:)`` last found valid was sent, in microseconds since 1970; nil if 64 bits do not
    /// hold that.
    public private(set) var microseconds: Int64?

    /// Makes a checker.
    ///
    /// - Parameter maximumFindings: How many findings to collect for one line at most.
    public init(_ plan: CompiledPlan, maximumFindings: Int = 20) {
        self.plan = plan
        let limits = ValidationLimits(
            text: JSONLimits(maximumBytes: Self.maximumLength, isInteroperable: true))
        containers = plan.containers.map { ReusedValidator($0, limits) }
        events = plan.events.map { ReusedValidator($0, limits) }
        references = TextIndex(plan.plan.events.map { "\"\($0.reference)\"" })
        names = TextIndex(plan.plan.events.map { "\"\($0.name)\"" })
        pageRules = plan.pageRules.map { ReusedValidator($0, limits) }
        self.maximumFindings = maximumFindings
    }

    /// The place of a line's event in ``EventPlan/events`` if the line is valid; nil if anything is wrong with it.
    ///
    /// - Parameter line: Its bytes without the line feed.
    public mutating func validEvent(_ line: UnsafeRawBufferPointer) -> Int? {
        guard line.count <= Self.maximumLength, let container = containers.first,
            container.validator.verdict(on: line) == .valid
        else { return nil }
        func bytes(_ member: ContainerMember) -> UnsafeRawBufferPointer? {
            container.validator.captured(member.index).map { UnsafeRawBufferPointer(rebasing: line[$0]) }
        }
        guard let reference = bytes(.schema), let event = bytes(.event),
            let time = bytes(.time).map({ LineTime($0) }), time.isWellFormed,
            let location = references.find(reference), events[location].validator.verdict(on: event) == .valid,
            let name = events[location].validator.captured(0), names.isEqual(location, event[name])
        else { return nil }
        if let pageRules, plan.pageViews.contains(location), pageRules.validator.verdict(on: event) != .valid {
            return nil
        }
        microseconds = time.microseconds
        return location
    }
}

extension LineChecker {
    /// The position of a member's value in the line that ``validEvent(_:)`` last found valid, in bytes, quotes included.
    package func position(of member: ContainerMember) -> Range<Int>? {
        containers.first?.validator.captured(member.index)
    }
}

/// A validator that stands in an array: it keeps its memory from one line to the next.
package final class ReusedValidator {
    package var validator: SchemaValidator

    package init(_ schema: CompiledSchema, _ limits: ValidationLimits = .standard) {
        validator = SchemaValidator(schema, limits: limits)
    }
}
