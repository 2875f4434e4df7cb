internal import ArgumentParser
internal import Foundation
internal import JSONSchema
internal import TrackingPlan

/// Findings of the same kind, which have the same fix.
struct FindingGroup {
    /// The common part of the findings.
    struct Key: Hashable {
        let kind: LineFinding.Kind
        /// The schema reference of the lines, `search/1-0-0`; nil if they have none.
        let event: String?
        let instancePath: String
        let schemaLocation: String
        let keyword: String
        let message: String

        /// The event, the location in it, and the message: `search/1-0-0: /event/value/page: must be at least 1`.
        var sentence: String { Self.sentence([event, instancePath, message]) }

        var shortSentence: String { Self.sentence([instancePath, message]) }

        private static func sentence(_ parts: [String?]) -> String {
            parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
        }
    }

    let key: Key
    private(set) var count = 0
    private(set) var span = TimeSpan()
    /// The location of the first finding.
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

    /// The group with its sample moved by a number of lines.
    func moved(by lines: Int) -> FindingGroup {
        var moved = FindingGroup(key, at: sample.moved(by: lines))
        moved.add(self)
        return moved
    }
}

extension FindingGroup.Key {
    init(_ finding: LineFinding, event: String?) {
        var message = finding.message
        // The count at the end of the message differs from line to line.
        if SchemaKeyword(rawValue: finding.keyword)?.isCounting == true, let end = message.range(of: ", but ") {
            message = String(message[..<end.lowerBound])
        }
        self.init(
            kind: finding.kind, event: event, instancePath: finding.instancePath.shortened,
            schemaLocation: finding.schemaLocation, keyword: finding.keyword, message: message.shortened)
    }
}

/// The classes of findings that `--fail-on` distinguishes.
enum FindingClass: String, CaseIterable {
    /// A line does not match its schema.
    case invalid
    /// The plan lacks the event, its version, or the page.
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

/// The classes of findings for which `trackctl validate` exits with 1.
struct FailOn: ExpressibleByArgument {
    var classes: Set<FindingClass>

    init(_ classes: Set<FindingClass> = [.invalid, .unknown]) { self.classes = classes }

    /// Parses `none`, or classes separated by commas; returns nil for anything else.
    init?(argument: String) {
        let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let found = names.compactMap(FindingClass.init)
        guard argument == "none" || found.count == names.count else { return nil }
        classes = Set(found)
    }

    var defaultValueDescription: String {
        classes.isEmpty ? "none" : FindingClass.allCases.filter(classes.contains).map(\.rawValue).joined(separator: ",")
    }

    /// The first kind of finding in a tally that counts as a failure; nil if there is none.
    func firstFailure(in tally: EventTally) -> LineFinding.Kind? {
        LineFinding.Kind.allCases.first { tally.linesByKind[$0] != nil && classes.contains(FindingClass($0)) }
    }

    /// `error` or `warning`, as in GitHub annotations and SARIF.
    func level(_ kind: LineFinding.Kind) -> String { classes.contains(FindingClass(kind)) ? "error" : "warning" }
}

struct FindingRule {
    let id: String
    /// What was found.
    let summary: String
    /// What to do.
    let help: String

    init(_ id: String, _ summary: String, help: String) {
        self.id = id
        self.summary = summary
        self.help = help
    }

    /// All rules, in the order of the kinds, then ``unused``.
    static let all = LineFinding.Kind.allCases.map(FindingRule.init) + [unused]

    static let unused = FindingRule(
        "unused-event", "An event of the plan was never seen.",
        help: "Check the code that should send it; if it was removed, say so in the schema's description.")

    static func unusedMessage(_ schema: PlanSchema) -> String { "event \(schema.name) was never seen" }

    init(_ kind: LineFinding.Kind) {
        let (summary, help) = Self.text(kind)
        self.init(kind.rawValue, summary, help: help)
    }

    private static func text(_ kind: LineFinding.Kind) -> (summary: String, help: String) {
        switch kind {
        case .notJSON:
            (
                "A line is not interoperable JSON.",
                "Check for other writers of the file; names must not repeat, integers must lie within ±(2^53−1)."
            )
        case .tooLong:
            ("A line is longer than 32 KiB.", "Send less with the event: a reference instead of the content.")
        case .torn:
            (
                "The last line of a file has no line feed.",
                "A write was interrupted or is in progress: read the file again later, or read the event log."
            )
        case .invalidContainer:
            (
                "The envelope does not match the container schema.",
                "Compare the version of the SDK that wrote the line with the container schema."
            )
        case .unknownEvent:
            ("The plan has no event with this name.", "Add its schema to the plan, or correct the name in the code.")
        case .unknownVersion:
            (
                "The plan has the event, but not this version.",
                "Add the schema of this version: published versions stay in the plan."
            )
        case .nameMismatch:
            (
                "The line's schema belongs to another event.",
                "Correct the encoder: name and schema must come from the same type."
            )
        case .invalidEvent:
            ("An event does not match its schema.", "Correct the code that sends it, or allow it in a new version.")
        case .pageNotInPlan:
            (
                "The plan has no page with this name.",
                "Add the page to x-pages in pages.json, or correct its name in the code."
            )
        case .pageAdditional:
            (
                """
                A page view has the property additional although its page has none, or lacks it although its page \
                requires it.
                """,
                "Correct the page in pages.json, or the code that sends the page view."
            )
        case .undecided:
            ("Checking stopped at a limit.", "Simplify the schema named in the finding.")
        }
    }
}

struct LineLocation: Hashable {
    /// The index of the input.
    var input: Int
    /// The line, from 1; in a database, the event's number.
    var line: Int64
    /// Whether the input is a database.
    let isRow: Bool
    /// From 1, in bytes.
    let column: Int
    /// From 1, in Unicode's code points.
    let character: Int

    /// The location of a byte in a line.
    init(input: Int, line: LineChunk.Line, isRow: Bool, offset: Int) {
        self.input = input
        self.line = line.number
        self.isRow = isRow
        column = offset + 1
        character = line.bytes.prefix(offset).reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }

    /// The location in the input, for a location in a chunk.
    ///
    /// - Parameter lines: The number of lines of the input before the chunk.
    func moved(by lines: Int) -> LineLocation {
        var location = self
        if !isRow { location.line += Int64(lines) }
        return location
    }
}
