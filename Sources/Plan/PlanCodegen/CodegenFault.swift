/// A place of a schema that cannot become Swift code.
package struct CodegenFault: Hashable, Sendable, CustomStringConvertible {
    /// The file as messages name it.
    package let file: String
    /// Both from 1; the column counts bytes.
    package let line: Int
    package let column: Int
    /// A JSON pointer (RFC 6901); empty for the whole.
    package let pointer: String
    /// What is wrong, and what to write instead.
    package let message: String

    /// `file:line:column: error: pointer: message`, which editors and Xcode can jump to.
    package var description: String {
        "\(file):\(line):\(column): error: \(pointer.isEmpty ? "" : "\(pointer): ")\(message)"
    }
}
