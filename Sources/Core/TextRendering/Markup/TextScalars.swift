/// What pages do with scalars in any markup.
package enum TextScalars {
    /// Whether a scalar is a control character, but for white space: no page can hold it.
    package static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\u{9}", "\u{A}", "\u{D}": false
        case "\u{0}"..."\u{1F}", "\u{7F}": true
        default: false
        }
    }
}
