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
