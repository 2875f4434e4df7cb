/// The text of a server's error, cleaned for messages and diagnostics.
package enum ServerWords {
    /// The maximum number of characters.
    static let longest = 300

    /// Removes secrets and control characters from a server's text, and shortens it.
    ///
    /// - Parameter remove: Removes secrets, which a server may repeat.
    package static func shown(_ words: String, removing remove: (String) -> String) -> String {
        let isControl = { (scalar: Unicode.Scalar) in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        // Control characters first, since they could split a secret.
        let plain = String(String.UnicodeScalarView(words.unicodeScalars.filter { !isControl($0) }))
        return String(remove(plain).prefix(longest))
    }
}
