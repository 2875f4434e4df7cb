/// The formats of JSON Schema 2020-12 (Validation, section 7.3).
package enum StandardFormats {
    /// The names of all formats. All are validated except `idn-email` and `idn-hostname`; see ``StringFormat``.
    package static let names = Set(StringFormat.allCases.map(\.name)).union(["idn-email", "idn-hostname"])
}
