internal import EventModel

/// The output formats of events. Raw values are the names on the command line.
package enum OutputFormat: String, CaseIterable, Sendable {
    case jsonl, pretty, table, csv, tsv
    case jsonSequence = "json-seq"
    case cloudEvents = "cloudevents"
    case segment, otlp

    /// The description in help texts.
    package var summary: String {
        switch self {
        case .jsonl: "unchanged lines, byte for byte"
        case .pretty: "indented JSON"
        case .table: "aligned columns"
        case .csv: "comma-separated records with a header (RFC 4180)"
        case .tsv: "tab-separated records with a header; \\t, \\n, \\r, \\\\ in fields"
        case .jsonSequence: "unchanged lines with record separators (RFC 7464)"
        case .cloudEvents: "CloudEvents 1.0, one per line; readable by trackctl"
        case .segment: "Segment's track and page messages, one per line; readable by trackctl"
        case .otlp: "OpenTelemetry logs (OTLP/JSON), one request for up to \(OTLPFormat.batchCount) events per line"
        }
    }

    /// The file extension, without the dot.
    package var fileExtension: String {
        switch self {
        case .jsonl, .cloudEvents, .segment, .otlp: "jsonl"
        case .pretty: "json"
        case .table: "txt"
        case .csv: "csv"
        case .tsv: "tsv"
        case .jsonSequence: "json-seq"
        }
    }

    /// Whether fields are columns, which can have views. Otherwise they select members of the line.
    package var hasColumns: Bool {
        switch self {
        case .table, .csv, .tsv: true
        default: false
        }
    }
}

extension OutputFormat {
    /// The default columns of `csv` and `tsv`.
    package static let standardFields = [
        EnvelopeMember.time.rawValue, "\(EnvelopeMember.Event.name.path)", EnvelopeMember.userID.rawValue,
        EnvelopeMember.sessionID.rawValue, EnvelopeMember.seq.rawValue, EnvelopeMember.id.rawValue,
        "\(EnvelopeMember.Event.value.path)",
    ]

    /// The default columns of `table`, with their titles.
    private static let tableFields = [
        ("time", "time:rfc3339"), ("event", "event.name"), ("user", "user_id"), ("value", "event.value:pairs"),
    ]

    /// The width of the longest standard event name, `notification`, in terminal columns.
    private static let nameWidth = 12

    /// Creates the format.
    ///
    /// - Throws: ``FormatOptionsError`` if it cannot show the fields.
    package func lineFormat(_ options: FormatOptions) throws -> any LineFormat {
        guard hasColumns else {
            return Self.edited(base(options), options, selection: try options.fields.map(Self.selection))
        }
        if let star = options.fields?.first(where: { !$0.path.isSingle }) {
            throw FormatOptionsError(
                description: "\(star.title): * can match several values, but a column shows one: name the members")
        }
        return Self.edited(try columns(options), options, selection: nil)
    }

    /// Creates the format of a template.
    ///
    /// - Throws: ``FormatOptionsError`` if fields are also given.
    package static func lineFormat(of template: Template, _ options: FormatOptions) throws -> any LineFormat {
        guard options.fields == nil else {
            throw FormatOptionsError(description: "a template names its own fields: remove --fields")
        }
        let format = TemplateFormat(template, isOnTerminal: options.terminalColumns != nil)
        return edited(format, options, selection: nil)
    }

    private func base(_ options: FormatOptions) -> any LineFormat {
        switch self {
        case .pretty: PrettyFormat(palette: options.palette, isOnTerminal: options.terminalColumns != nil)
        case .jsonSequence: JSONSequenceFormat()
        case .cloudEvents: CloudEventsFormat(schemaBase: options.schemaBase)
        case .segment: SegmentFormat()
        case .otlp: OTLPFormat()
        default: JSONLinesFormat()
        }
    }

    private func columns(_ options: FormatOptions) throws -> any LineFormat {
        switch self {
        case .table:
            let columns =
                try options.fields?.map { TableFormat.Column(title: $0.title, field: $0) }
                ?? Self.tableFields.map { title, path in
                    // Later names must not move the columns.
                    let isName = title == "event" && options.isFollowing
                    return TableFormat.Column(
                        title: title, field: try Field(path), minimumWidth: isName ? Self.nameWidth : 0)
                }
            return TableFormat(columns: columns, terminal: options.terminalColumns)
        default:
            let fields = try options.fields ?? Self.standardFields.map { try Field($0) }
            let isSafe = options.isSpreadsheetSafe
            return self == .tsv
                ? TSVFormat(fields: fields, isSpreadsheetSafe: isSafe)
                : CSVFormat(fields: fields, isSpreadsheetSafe: isSafe)
        }
    }

    private static func selection(_ fields: [Field]) throws -> FieldSelection {
        if let field = fields.first(where: { $0.view != nil }) {
            throw FormatOptionsError(
                description:
                    "\(field.title): views need csv, tsv, table or a template: remove the view")
        }
        return FieldSelection(fields.map(\.path))
    }

    private static func edited(
        _ base: any LineFormat, _ options: FormatOptions, selection: FieldSelection?
    ) -> any LineFormat {
        guard selection != nil || !options.redactions.isEmpty else { return base }
        let redactor = options.redactions.isEmpty ? nil : LineRedactor(options.redactions)
        return EditedFormat(base, redactor: redactor, selection: selection)
    }
}
