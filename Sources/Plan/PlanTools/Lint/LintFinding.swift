/// One place where a folder of schemas breaks a rule.
package struct LintFinding: Hashable, Sendable, CustomStringConvertible {
    /// The rule that is broken: ``LintRule/id``.
    package let rule: String
    /// The file within the folder: `events/search/1-0-0.json`.
    package let path: String
    /// The line, from 1.
    package let line: Int
    /// The column, from 1, in bytes.
    package let column: Int
    /// A JSON pointer into the file; empty for the whole.
    package let pointer: String
    /// What is wrong and what to do.
    package let message: String

    /// `file:line:column: message [rule]`, which editors can jump to.
    package var description: String { "\(path):\(line):\(column): \(message) [\(rule)]" }
}
