internal import ArgumentParser
internal import Foundation
internal import JSONSchema
internal import TrackingPlan

/// Findings that are alike: they call for one remedy.
struct FindingGroup {
    /// What they have in common.
    struct Key: Hashable {
        let kind: LineFinding.Kind
        /// What the lines name as their schema, `search/1-0-0`; nil if they name none.
        let event: String?
        let instancePath: String
        let schemaLocation: String
        let keyword: String
        let message: String

        /// The event, the value, and what is wrong with it: `search/1-0-0: /event/value/page: must be at least 1`.
        var sentence: String { Self.sentence([event, instancePath, message]) }

        /// The same within an event.
        var shortSentence: String { Self.sentence([instancePath, message]) }

        private static func sentence(_ parts: [String?]) -> String {
            parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
        }
    }

    let key: Key
    private(set) var count = 0
    private(set) var span = TimeSpan()
    /// The first one's.
    let sample: LineLocation

    init(_ key: Key, at sample: LineLocation) {
        self.key = key
        self.sample = sample
    }

    mutating func add(at microseconds: Int64?) {
        count += 1
        if let microseconds { span.add(microseconds) }
    }

    mutating func add(_ other: FindingGroup) {
        count += other.count
        span.add(other.span)
    }

    /// The same group with its sample elsewhere.
    func moved(by lines: Int) -> FindingGroup {
        var moved = FindingGroup(key, at: sample.moved(by: lines))
        moved.add(self)
        return moved
    }
}

extension FindingGroup.Key {
    init(_ finding: LineFinding, event: String?) {
        var message = finding.message
        // How much there is differs from line to line.
        if SchemaKeyword(rawValue: finding.keyword)?.isCounting == true, let end = message.range(of: ", but ") {
            message = String(message[..<end.lowerBound])
        }
        self.init(
            kind: finding.kind, event: event, instancePath: finding.instancePath.shortened,
            schemaLocation: finding.schemaLocation, keyword: finding.keyword, message: message.shortened)
    }
}

/// What `--fail-on` tells apart.
enum FindingClass: String, CaseIterable {
    /// A line is not what its schema asks for.
    case invalid
    /// The plan has no such event, not in that version, or no such page.
    case unknown
    /// No line has an event of the plan.
    case unused

    /// The class of a finding.
    init(_ kind: LineFinding.Kind) {
        switch kind {
        case .unknownEvent, .unknownVersion, .pageNotInPlan: self = .unknown
        default: self = .invalid
        }
    }
}

/// Which classes of findings end `trackctl validate` with 1.
struct FailOn: ExpressibleByArgument {
    var classes: Set<FindingClass>

    init(_ classes: Set<FindingClass> = [.invalid, .unknown]) { self.classes = classes }

    /// Reads `none`, or classes with commas between them; nil for anything else.
    init?(argument: String) {
        let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let found = names.compactMap(FindingClass.init)
        guard argument == "none" || found.count == names.count else { return nil }
        classes = Set(found)
    }

    var defaultValueDescription: String {
        classes.isEmpty ? "none" : FindingClass.allCases.filter(classes.contains).map(\.rawValue).joined(separator: ",")
    }

    /// A kind of findings that lines have and that is a failure; nil if there is none.
    func firstFailure(in tally: EventTally) -> LineFinding.Kind? {
        LineFinding.Kind.allCases.first { tally.linesByKind[$0] != nil && classes.contains(FindingClass($0)) }
    }

    /// `error` or `warning`, as GitHub and SARIF call them.
    func level(_ kind: LineFinding.Kind) -> String { classes.contains(FindingClass(kind)) ? "error" : "warning" }
}

/// What a kind of findings means, in the words of a rule.
struct FindingRule {
    let id: String
    /// What is found.
    let summary: String
    /// What to do.
    let help: String

    init(_ id: String, _ summary: String, help: String) {
        (self.id, self.summary, self.help) = (id, summary, help)
    }

    /// The rules, in the order of their numbers: the kinds, then ``unused``.
    static let all = LineFinding.Kind.allCases.map(FindingRule.init) + [unused]

    static let unused = FindingRule(
        "unused-event", "No line has an event of the plan.",
        help: "Look for the place that should send it; if there is none any more, say so in the schema's description.")

    static func unusedMessage(_ schema: PlanSchema) -> String { "no line has the event \(schema.name)" }

    init(_ kind: LineFinding.Kind) {
        let (summary, help) = Self.words(kind)
        self.init(kind.rawValue, summary, help: help)
    }

    private static func words(_ kind: LineFinding.Kind) -> (summary: String, help: String) {
        switch kind {
        case .notJSON:
            (
                "A line is not JSON that every reader understands alike.",
                "Look for what else writes to the file; names must not repeat, integers must lie within ±(2^53−1)."
            )
        case .tooLong:
            ("A line is longer than 32 KiB.", "Send less with the event: a reference instead of the content.")
        case .torn:
            (
                "The last line of a file has no line feed.",
                "A write was cut off, or goes on: read again later, or take the line from the event log."
            )
        case .invalidContainer:
            (
                "What surrounds the event breaks the container's schema.",
                "Compare the version of the SDK that wrote the line with the container's schema."
            )
        case .unknownEvent:
            ("The plan has no event of that name.", "Add its schema to the plan, or correct the name where it is sent.")
        case .unknownVersion:
            (
                "The plan has the event, but not in that version.",
                "Add the schema of that version: published versions stay in the plan."
            )
        case .nameMismatch:
            (
                "The schema that a line names is another event's.",
                "Correct what encodes the line: both come from one type."
            )
        case .invalidEvent:
            ("An event breaks its schema.", "Correct what sends it, or add a version to the plan that allows it.")
        case .pageNotInPlan:
            (
                "The plan has no page of that name.",
                "Add the page to x-pages in pages.json, or correct its name where it is sent."
            )
        case .pageAdditional:
            (
                "A page view lacks additional, or carries it, where the plan says otherwise of its page.",
                "Correct the page in pages.json, or what sends its page view."
            )
        case .undecided:
            ("A limit was reached before the question was decided.", "Simplify the schema that is named.")
        }
    }
}

/// Where something stands in the inputs.
struct LineLocation: Hashable {
    /// The input's place among all.
    var input: Int
    /// Of text, from 1; of a database, the event's number.
    var line: Int64
    /// Whether the input is a database.
    let isRow: Bool
    /// From 1, in bytes.
    let column: Int
    /// From 1, in Unicode's code points.
    let character: Int

    /// Finds the place of a byte in a line.
    init(input: Int, line: LineChunk.Line, isRow: Bool, offset: Int) {
        self.input = input
        self.line = line.number
        self.isRow = isRow
        column = offset + 1
        character = line.bytes.prefix(offset).reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }

    /// The place that this one of a chunk is in its input.
    ///
    /// - Parameter lines: How many lines of the input come before the chunk.
    func moved(by lines: Int) -> LineLocation {
        var location = self
        if !isRow { location.line += Int64(lines) }
        return location
    }
}
