internal import JSONSchema
internal import TrackingPlan

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

/// What a rule found, before it is known which rule it was.
struct LintIssue {
    /// The file within the folder.
    let path: String
    /// Where in the file, in bytes from its start.
    let offset: Int
    /// A JSON pointer into the file.
    let pointer: JSONPointer
    /// The subschema that may hold an exception for it; nil where no exception is possible.
    let owner: Subschema?
    /// What is wrong and what to do.
    let message: String

    /// A fault of a file that may be no JSON at all, so that nothing within can excuse it.
    init(_ path: String, offset: Int = 0, pointer: JSONPointer = JSONPointer(), _ message: String) {
        self.path = path
        self.offset = offset
        self.pointer = pointer
        owner = nil
        self.message = message
    }

    /// A fault of a subschema, or of what a way from it leads to: `["enum", "2"]`.
    init(_ node: Subschema, at way: [String] = [], _ message: String) {
        var (value, pointer) = (node.value, node.pointer)
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

    /// A fault of a keyword, or of what a way from it leads to.
    init(_ node: Subschema, at keyword: SchemaKeyword, then way: [String] = [], _ message: String) {
        self.init(node, at: [keyword.rawValue] + way, message)
    }

    /// A fault of an annotation, or of what a way from it leads to.
    init(_ node: Subschema, at annotation: PlanAnnotation, then way: [String] = [], _ message: String) {
        self.init(node, at: [annotation.rawValue] + way, message)
    }

    /// A fault of a value within a keyword, and the way to it.
    init(
        _ node: Subschema, _ value: JSONDocument.Value, at keyword: SchemaKeyword, then way: [String],
        _ message: String
    ) {
        path = node.path
        offset = value.offset
        pointer = JSONPointer(node.pointer.tokens + [keyword.rawValue] + way)
        owner = node
        self.message = message
    }

    /// The tokens of a pointer; none if it is not one.
    static func tokens(_ pointer: String) -> [String] { JSONPointer(pointer)?.tokens ?? [] }
}
