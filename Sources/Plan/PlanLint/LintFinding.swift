internal import JSONSchema
internal import TrackingPlan

/// A violation of a rule in a folder of schemas.
package struct LintFinding: Hashable, Sendable, CustomStringConvertible {
    /// The broken rule: ``LintRule/id``.
    package let rule: String
    /// The file within the folder: `events/search/1-0-0.json`.
    package let path: String
    /// The line, from 1.
    package let line: Int
    /// The column, from 1, in bytes.
    package let column: Int
    /// A JSON pointer into the file; empty for the whole file.
    package let pointer: String
    /// The violation and how to fix it.
    package let message: String

    package init(rule: String, path: String, line: Int, column: Int, pointer: String, message: String) {
        self.rule = rule
        self.path = path
        self.line = line
        self.column = column
        self.pointer = pointer
        self.message = message
    }

    /// The finding as `file:line:column: message [rule]`, a form that editors can open.
    package var description: String { "\(path):\(line):\(column): \(message) [\(rule)]" }
}

/// A finding without its rule, as a rule's check returns it.
struct LintIssue {
    /// The file within the folder.
    let path: String
    /// The offset in the file, in bytes.
    let offset: Int
    /// A JSON pointer into the file.
    let pointer: JSONPointer
    /// The subschema that may hold an exception; nil where exceptions are impossible.
    let owner: Subschema?
    /// The violation and how to fix it.
    let message: String

    /// Makes an issue of a file that may not be JSON. No exception applies to it.
    init(_ path: String, offset: Int = 0, pointer: JSONPointer = JSONPointer(), _ message: String) {
        self.path = path
        self.offset = offset
        self.pointer = pointer
        owner = nil
        self.message = message
    }

    /// Makes an issue of a subschema, or of a value in it, such as `["enum", "2"]`.
    init(_ node: Subschema, at way: [String] = [], _ message: String) {
        var value = node.value
        var pointer = node.pointer
        for token in way {
            guard let next = value[pointer: JSONPointer([token]).description] else { break }
            value = next
            pointer = pointer.appending(token)
        }
        path = node.path
        offset = value.offset
        self.pointer = pointer
        owner = node
        self.message = message
    }

    /// Makes an issue of a keyword, or of a value in it.
    init(_ node: Subschema, at keyword: SchemaKeyword, then way: [String] = [], _ message: String) {
        self.init(node, at: [keyword.rawValue] + way, message)
    }

    /// Makes an issue of an annotation, or of a value in it.
    init(_ node: Subschema, at annotation: PlanAnnotation, then way: [String] = [], _ message: String) {
        self.init(node, at: [annotation.rawValue] + way, message)
    }

    /// Makes an issue of a value in a keyword, with the path to the value.
    init(
        _ node: Subschema, _ value: JSONDocument.Value, at keyword: SchemaKeyword, then way: [String],
        message: String
    ) {
        path = node.path
        offset = value.offset
        pointer = JSONPointer(node.pointer.tokens + [keyword.rawValue] + way)
        owner = node
        self.message = message
    }

    /// Returns the tokens of a JSON pointer; none if the text is not a pointer.
    static func tokens(_ pointer: String) -> [String] { JSONPointer(pointer)?.tokens ?? [] }
}
