internal import EventModel

/// The formats that events can be written in, by the names they have on the command line.
package enum OutputFormat: String, CaseIterable, Sendable {
    case jsonl, pretty, table, csv, tsv
    case jsonSequence = "json-seq"
    case cloudEvents = "cloudevents"
    case segment, otlp

    /// What it is, in one line.
    package var summary: String {
        switch self {
        case .jsonl: "the lines as they are, byte for byte"
        case .pretty: "indented JSON, for people"
        case .table: "columns under each other, for people"
        case .csv: "a header and records with commas (RFC 4180)"
        case .tsv: "a header and records with tabs; \\t, \\n, \\r, \\\\ in fields"
        case .jsonSequence: "the lines with record separators (RFC 7464)"
        case .cloudEvents: "CloudEvents 1.0, one a line; can be read back"
        case .segment: "Segment's track and page messages, one a line; can be read back"
        case .otlp: "OpenTelemetry logs (OTLP/JSON), a request for up to \(OTLPFormat.batchCount) events a line"
        }
    }

    /// The media type of what is written; of one line where that has one and the whole has none.
    package var mediaType: String {
        switch self {
        case .jsonl: "application/jsonl"
        case .pretty, .otlp, .segment: "application/json"
        case .table: "text/plain; charset=utf-8"
        case .csv: "text/csv; charset=utf-8; header=present"
        case .tsv: "text/tab-separated-values; charset=utf-8"
        case .jsonSequence: "application/json-seq"
        case .cloudEvents: "application/cloudevents+json; charset=utf-8"
        }
    }

    /// The extension of a file of it, without the dot.
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

    /// Whether fields are its columns, and may have views; else they narrow the line.
    package var hasColumns: Bool {
        switch self {
        case .table, .csv, .tsv: true
        default: false
        }
    }
}

extension OutputFormat {
    /// The columns of `csv` and `tsv` unless others are given.
    package static let standardFields = [
        EnvelopeMember.time.rawValue, "\(EnvelopeMember.Event.name.path)", EnvelopeMember.userID.rawValue,
        EnvelopeMember.sessionID.rawValue, EnvelopeMember.seq.rawValue, EnvelopeMember.id.rawValue,
        "\(EnvelopeMember.Event.value.path)",
    ]

    /// The columns of `table` unless others are given, and their titles.
    private static let tableFields = [
        ("time", "time:rfc3339"), ("event", "event.name"), ("user", "user_id"), ("value", "event.value:pairs"),
    ]

    /// The columns of a terminal that the longest standard name takes: `notification`.
    private static let nameWidth = 12

    /// Makes the format.
    ///
    /// - Throws: ``FormatOptionsError`` if it cannot show the fields.
    package func lineFormat(_ options: FormatOptions) throws -> any LineFormat {
        guard hasColumns else {
            return Self.edited(base(options), options, selection: try options.fields.map(Self.selection))
        }
        if let star = options.fields?.first(where: { !$0.path.isSingle }) {
            throw FormatOptionsError(
                description: "\(star.title): * stands for many values, and a column holds one; name them")
        }
        return Self.edited(try columns(options), options, selection: nil)
    }

    /// Makes the format of a template.
    ///
    /// - Throws: ``FormatOptionsError`` if fields are given as well.
    package static func lineFormat(of template: Template, _ options: FormatOptions) throws -> any LineFormat {
        guard options.fields == nil else {
            throw FormatOptionsError(description: "a template names its fields itself: give no others")
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
                    // Names that come later must not move the columns.
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
                    "\(field.title): a view is for csv, tsv, table and templates; here, values stay as they are")
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
