/// The formats of JSON Schema 2020-12 (Validation, section 7.3).
package enum StandardFormats {
    /// Their names. All are checked but `idn-email` and `idn-hostname`: ``StringFormat`` says why.
    package static let names = Set(StringFormat.allCases.map(\.name)).union(["idn-email", "idn-hostname"])
}
