/// Placeholder descriptions, which start with `TODO`.
///
/// `trackctl new` writes a placeholder if you pass no description, and the lint rule `placeholder-description` reports
/// it.
package enum PlaceholderText {
    private static let mark = "TODO"

    /// Returns a placeholder such as `TODO: describe items.`
    ///
    /// - Parameter subject: The item to describe: `items`.
    package static func description(of subject: String) -> String { "\(mark): describe \(subject)." }

    /// Returns whether a description is a placeholder: its first word is `TODO`.
    package static func isPlaceholder(_ text: String) -> Bool {
        let trimmed = text.drop(while: \.isWhitespace)
        guard trimmed.hasPrefix(mark) else { return false }
        let next = trimmed.dropFirst(mark.count).first
        return next.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true
    }
}
