/// What a checker says of a line.
public struct LineResult: Hashable, Sendable {
    /// The place of the event's schema in ``EventPlan/events``; nil if the line names none that the plan has.
    public let event: Int?
    /// What the line names as its schema, `search/1-0-0`, if that could be read and has the form.
    public let reference: String?
    /// When it was sent, in microseconds since 1970; nil if that could not be read.
    public let microseconds: Int64?
    /// What is wrong; empty for a valid line, and for an unplanned event that the plan allows.
    public let findings: [LineFinding]
    /// Whether the line has an event without a schema, is marked so, and the plan allows it: it is neither valid nor invalid.
    public let isUnplanned: Bool

    /// Whether the event and what surrounds it satisfy their schemas.
    public var isValid: Bool { findings.isEmpty && !isUnplanned }

    init(
        event: Int?, reference: String?, microseconds: Int64?, findings: [LineFinding], isUnplanned: Bool = false
    ) {
        self.isUnplanned = isUnplanned
        self.event = event
        self.reference = reference
        self.microseconds = microseconds
        self.findings = findings
    }

    /// Makes the result of a line in which nothing could be read.
    public init(finding: LineFinding) {
        self.init(event: nil, reference: nil, microseconds: nil, findings: [finding])
    }
}

/// Something that is wrong with a line of a log.
public struct LineFinding: Hashable, Sendable {
    /// What is wrong, in kinds that call for different remedies. The raw value is stable.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Not JSON, not UTF-8, or not interoperable (a name twice, an integer beyond ±(2^53 − 1)).
        case notJSON = "not-json"
        /// Longer than 32 KiB.
        case tooLong = "too-long"
        /// The last line of a file has no line feed: a write was cut off.
        case torn = "torn-line"
        /// What surrounds the event breaks the container's schema.
        case invalidContainer = "invalid-container"
        /// The plan has no event of that name.
        case unknownEvent = "unknown-event"
        /// The plan has the event, but not in that version.
        case unknownVersion = "unknown-version"
        /// The schema that the line names is another event's.
        case nameMismatch = "name-mismatch"
        /// The event breaks its schema.
        case invalidEvent = "invalid-event"
        /// A `page-view` names a page that the plan's list of pages doesn't have.
        case pageNotInPlan = "page-not-in-plan"
        /// A `page-view` lacks `additional`, or carries it, where the plan says otherwise of its page.
        case pageAdditional = "page-additional"
        /// A limit was reached before the question was decided.
        case undecided
    }

    /// What is wrong.
    public let kind: Kind
    /// The value, as a JSON pointer into the line: `/event/value/page`.
    public let instancePath: String
    /// The way to the rule through the schema; empty where no schema speaks.
    public let schemaPath: String
    /// Where the rule is written: a URI with a JSON pointer as fragment; empty where no schema speaks.
    public let schemaLocation: String
    /// The keyword that is broken; empty where no schema speaks.
    public let keyword: String
    /// What is wrong, without values of the line.
    public let message: String
    /// Where the value starts in the line, in bytes from 0.
    public let offset: Int

    /// Makes a finding that comes from no schema.
    public init(_ kind: Kind, at instancePath: String = "", offset: Int = 0, _ message: String) {
        self.init(
            kind: kind, instancePath: instancePath, schemaPath: "", schemaLocation: "", keyword: "", message: message,
            offset: offset)
    }

    init(
        kind: Kind, instancePath: String, schemaPath: String, schemaLocation: String, keyword: String, message: String,
        offset: Int
    ) {
        self.kind = kind
        self.instancePath = instancePath
        self.schemaPath = schemaPath
        self.schemaLocation = schemaLocation
        self.keyword = keyword
        self.message = message
        self.offset = offset
    }
}
