/// What a person may choose about a format; the defaults change nothing.
package struct FormatOptions: Sendable {
    /// What is shown of each event: the columns of `csv`, `tsv` and `table`, the members that other formats narrow a
    /// line to; nil for all.
    package var fields: [Field]?
    /// What must not get out; before anything else is done with a line.
    package var redactions: [RedactionRule] = []
    /// Colours for `pretty`; nil for none.
    package var palette: Palette?
    /// How many columns the terminal has, for `table`; nil if there is none.
    package var terminalColumns: Int?
    /// Whether `csv` keeps spreadsheets from taking strings for formulas.
    package var guardsFormulas = false
    /// Where `dataschema` of `cloudevents` leads: in front of `search/1-0-0.json`.
    package var schemaBase = CloudEventsFormat.standardSchemaBase

    /// Makes the defaults.
    package init() {}
}
