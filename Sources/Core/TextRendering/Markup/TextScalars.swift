/// Properties of scalars for all markup languages.
package enum TextScalars {
    /// Whether a scalar is a control character other than white space, which no page can contain.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{9}", "\u{A}", "\u{D}": false
        case "\u{0}"..."\u{1F}", "\u{7F}": true
        default: false
        }
    }
}
