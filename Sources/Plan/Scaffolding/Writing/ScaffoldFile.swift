/// A file to write.
package struct ScaffoldFile: Hashable, Sendable {
    /// The path, which can be opened.
    package let path: String
    package let bytes: [UInt8]
    /// The current content; nil for a new file, whose path must not exist.
    package let previous: [UInt8]?
    /// Whether it is derived from other files, such as the plan's pages, and not worth listing.
    package let isDerived: Bool

    init(new path: String, _ text: String) {
        self.path = path
        bytes = Array(text.utf8)
        previous = nil
        isDerived = false
    }

    init(changing path: String, from previous: [UInt8], to bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        self.previous = previous
        isDerived = false
    }

    init(derived path: String, from previous: [UInt8]?, to bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        self.previous = previous
        isDerived = true
    }

    /// The lines that the current content lacks, in order; all lines of a new file.
    package var addedLines: [String] {
        guard let previous else { return TextLines.of(bytes) }
        var before = TextLines.of(previous)
        return TextLines.of(bytes).filter { line in
            guard let index = before.firstIndex(of: line) else { return true }
            before.remove(at: index)
            return false
        }
    }
}
