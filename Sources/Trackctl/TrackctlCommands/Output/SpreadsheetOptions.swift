internal import ArgumentParser

/// Whether fields are kept from being formulas.
struct SpreadsheetOptions: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: """
            In csv and tsv, put ' before text that a spreadsheet would take for a formula: what begins with =, +, -, @, a tab or \
            an end of line; never before numbers. The default on a terminal and with --partition.
            """)
    var spreadsheetSafe: Bool?

    /// Whether they are.
    func isOn(for destination: OutputDestination) -> Bool {
        if let spreadsheetSafe { return spreadsheetSafe }
        return switch destination {
        case .standardOutput: Terminal.isOutput
        case .namedFile: false
        case .ownFiles: true
        }
    }

    /// Refuses the option where nothing has fields.
    ///
    /// - Throws: `ValidationError`.
    func check(hasFields: Bool) throws {
        guard spreadsheetSafe != true || hasFields else {
            throw ValidationError("--spreadsheet-safe is for csv and tsv only")
        }
    }
}

/// Where a command writes to.
enum OutputDestination {
    case standardOutput
    /// A file that the command line names.
    case namedFile
    /// Files that trackctl names itself.
    case ownFiles
}
