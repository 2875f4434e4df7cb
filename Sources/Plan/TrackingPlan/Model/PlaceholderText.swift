/// Descriptions that are still to be written: they begin with `TODO`.
///
/// `trackctl new` writes one where none was given, and the lint rule `placeholder-description` reports it.
package enum PlaceholderText {
    private static let mark = "TODO"

    /// `TODO: describe items`, with a full stop.
    ///
    /// - Parameter subject: What is to be described: `items`.
    package static func description(of subject: String) -> String { "\(mark): describe \(subject)." }

    /// Whether a description is still to be written: its first word is `TODO`.
    package static func isPlaceholder(_ text: String) -> Bool {
        let trimmed = text.drop(while: \.isWhitespace)
        guard trimmed.hasPrefix(mark) else { return false }
        let next = trimmed.dropFirst(mark.count).first
        return next.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true
    }
}
