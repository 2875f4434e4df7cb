internal import ArgumentParser

/// Protects spreadsheet users from fields that would be evaluated as formulas.
struct SpreadsheetOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: """
            In csv and tsv, write ' before text that a spreadsheet would read as a formula because it starts with =, \
            +, -, @, a tab or a line break; numbers stay unchanged. Default on a terminal and with --partition.
            """)
    var spreadsheetSafe: Bool?

    /// Whether fields are protected.
    func isOn(for destination: OutputDestination) -> Bool {
        if let spreadsheetSafe { return spreadsheetSafe }
        return switch destination {
        case .standardOutput: Terminal.isOutput
        case .namedFile: false
        case .ownFiles: true
        }
    }

    /// Rejects the option for formats without fields.
    ///
    /// - Throws: `ValidationError`.
    func check(hasFields: Bool) throws {
        guard spreadsheetSafe != true || hasFields else {
            throw ValidationError("--spreadsheet-safe is for csv and tsv only")
        }
    }
}

enum OutputDestination {
    case standardOutput
    /// A file that the command line names.
    case namedFile
    /// Files that trackctl names.
    case ownFiles
}
