/// The result of checking a line.
public struct LineResult: Hashable, Sendable {
    /// The index of the event's schema in ``EventPlan/events``; nil if the plan doesn't have the schema that the line
    /// names.
    public let event: Int?
    /// The line's schema reference, `search/1-0-0`; nil if it is missing or malformed.
    public let reference: String?
    /// The time of sending in microseconds since 1970; nil if it could not be read.
    public let microseconds: Int64?
    /// The findings; empty for a valid line, and for an unplanned event that the plan allows.
    public let findings: [LineFinding]
    /// Whether the line is marked as an event without a schema that the plan allows. Such a line is neither valid nor
    /// invalid.
    public let isUnplanned: Bool

    /// Whether the event and its envelope satisfy their schemas.
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

    /// Makes the result of a line that could not be read.
    public init(finding: LineFinding) {
        self.init(event: nil, reference: nil, microseconds: nil, findings: [finding])
    }
}

/// A problem in a line of a log.
public struct LineFinding: Hashable, Sendable {
    /// The kind of problem. Each kind has a different remedy. Raw values are stable.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Not JSON, not UTF-8, or not interoperable (a duplicate name, an integer beyond ±(2^53 − 1)).
        case notJSON = "not-json"
        /// Longer than 32 KiB.
        case tooLong = "too-long"
        /// The last line of a file has no line feed: the write was interrupted.
        case torn = "torn-line"
        /// The envelope violates the container's schema.
        case invalidContainer = "invalid-container"
        /// The plan has no event with that name.
        case unknownEvent = "unknown-event"
        /// The plan has the event, but not in that version.
        case unknownVersion = "unknown-version"
        /// The line's schema belongs to another event.
        case nameMismatch = "name-mismatch"
        /// The event violates its schema.
        case invalidEvent = "invalid-event"
        /// A `page-view` names a page that is not in the plan.
        case pageNotInPlan = "page-not-in-plan"
        /// A `page-view` lacks or has `additional`, contrary to the page in the plan.
        case pageAdditional = "page-additional"
        /// A limit was reached before the check was complete.
        case undecided
    }

    /// The kind of problem.
    public let kind: Kind
    /// The value, as a JSON pointer into the line: `/event/value/page`.
    public let instancePath: String
    /// The path to the keyword through the schema; empty if the finding is not from a schema.
    public let schemaPath: String
    /// The location of the keyword: a URI with a JSON pointer as fragment; empty if the finding is not from a schema.
    public let schemaLocation: String
    /// The violated keyword; empty if the finding is not from a schema.
    public let keyword: String
    /// The problem, without values of the line.
    public let message: String
    /// The offset of the value in the line, in bytes from 0.
    public let offset: Int

    /// Makes a finding that is not from a schema.
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
