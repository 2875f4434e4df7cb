internal import JSONSchema
internal import TrackingPlan

/// What a rule found, before it is known which rule it was.
struct LintFault {
    /// The file within the folder.
    let path: String
    /// Where in the file, in bytes from its start.
    let offset: Int
    /// A JSON pointer into the file.
    let pointer: JSONPointer
    /// The subschema that may hold an exception for it; nil where no exception is possible.
    let owner: SchemaNode?
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
    init(_ node: SchemaNode, at way: [String] = [], _ message: String) {
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

    /// A fault of a value within a subschema, and the way to it.
    init(_ node: SchemaNode, _ value: JSONDocument.Value, at way: [String], _ message: String) {
        path = node.path
        offset = value.offset
        pointer = JSONPointer(node.pointer.tokens + way)
        owner = node
        self.message = message
    }

    /// The tokens of a pointer; none if it is not one.
    static func tokens(_ pointer: String) -> [String] { JSONPointer(pointer)?.tokens ?? [] }
}
