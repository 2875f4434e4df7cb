package import JSONSchema

/// Where a change is written.
package struct ChangePlace: Hashable, Sendable {
    /// The file, as messages name it.
    package let file: String
    /// From 1.
    package let line: Int
    /// The way to it from the start of the file.
    package let pointer: JSONPointer
}
