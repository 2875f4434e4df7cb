/// What a server says of an error, as messages and diagnostics may show it.
package enum ServerWords {
    /// At most this many characters are kept.
    static let longest = 300

    /// A server's words without secrets and control characters.
    ///
    /// - Parameter remove: Removes secrets, which a server may repeat.
    package static func shown(_ words: String, removing remove: (String) -> String) -> String {
        let isControl = { (scalar: Unicode.Scalar) in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
        // First, so that none is inside a secret.
        let plain = String(String.UnicodeScalarView(words.unicodeScalars.filter { !isControl($0) }))
        return String(remove(plain).prefix(longest))
    }
}
