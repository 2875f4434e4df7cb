internal import ArgumentParser
internal import EventFormats
internal import Foundation

/// The output format of events.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            OutputFormat.allCases.map { "\($0.rawValue): \($0.summary)." }.joined(separator: "\n"),
            valueName: "format"))
    var output: OutputFormat?

    @Option(
        help: ArgumentHelp(
            """
            Columns of csv, tsv and table, or members that other formats keep: time:rfc3339,event.name. A suffix sets \
            the form of a value: rfc3339, date, hour, json or pairs.
            """, valueName: "paths"),
        transform: { try TypedOption.read($0, Field.list) })
    var fields: [Field]?

    @Option(
        name: .customLong("redact"),
        help: ArgumentHelp(
            "Replace this value with [redacted]; PATH=drop removes it, PATH=hash gives its SHA-256. Repeatable.",
            valueName: "path"),
        transform: { try TypedOption.read($0, RedactionRule.init) })
    var redactions: [RedactionRule] = []

    @OptionGroup var spreadsheet: SpreadsheetOptions

    @Option(
        help: ArgumentHelp(
            "Base URI of dataschema in cloudevents; a path such as search/1-0-0.json is appended.", valueName: "URI"))
    var schemaBase: String?

    @Option(help: "Colors of pretty: auto (on a terminal, unless NO_COLOR is set), always or never.")
    var color = ColorChoice.auto

    enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
        case auto, always, never
    }

    func validate() throws {
        let chosen = output ?? .jsonl
        try spreadsheet.check(hasFields: chosen == .csv || chosen == .tsv)
        guard schemaBase == nil || chosen == .cloudEvents else {
            throw ValidationError("--schema-base is for -o cloudevents only")
        }
        if let schemaBase, URL(string: schemaBase)?.scheme == nil {
            throw ValidationError("--schema-base must be a URI such as https://example.com/schemas/")
        }
    }

    /// The requested format; nil to write lines unchanged.
    ///
    /// - Parameters:
    /// - template: The template for each event, instead of a format.
    /// - standard: The default format.
    /// - isFollowing: Whether events arrive one by one.
    /// - destination: Where the output goes. The terminal's width applies to standard output only.
    /// - Throws: `ValidationError` for conflicting options.
    func format(
        template: Template?, standard: OutputFormat = .jsonl, isFollowing: Bool = false,
        to destination: OutputDestination = .standardOutput
    ) throws -> (any LineFormat)? {
        guard template == nil || output == nil else {
            throw ValidationError(
                "a template and -o \(output?.rawValue ?? "") both set the format: pass only one of them")
        }
        var options = FormatOptions()
        options.fields = fields
        options.isFollowing = isFollowing
        options.redactions = redactions
        options.isSpreadsheetSafe = spreadsheet.isOn(for: destination)
        let isFile = destination != .standardOutput
        let takesColors = color == .auto ? !isFile && Terminal.takesColors : color == .always
        options.palette = takesColors ? .standard : nil
        options.terminalColumns = isFile ? nil : Terminal.columns
        if let schemaBase { options.schemaBase = schemaBase }
        let chosen = output ?? standard
        do {
            if let template { return try OutputFormat.lineFormat(of: template, options) }
            if chosen == .jsonl && fields == nil && redactions.isEmpty { return nil }
            return try chosen.lineFormat(options)
        } catch let error as FormatOptionsError { throw ValidationError(error.description) }
    }
}

extension OutputFormat: ExpressibleByArgument {}
