/// A file that is to be written.
package struct ScaffoldFile: Hashable, Sendable {
    /// As it can be opened.
    package let path: String
    package let bytes: [UInt8]
    /// What is there now; nil for a new file, in whose place nothing may be.
    package let previous: [UInt8]?
    /// Whether it is made of others, such as the pages of the plan: nobody reads it to see what was made.
    package let isDerived: Bool

    init(new path: String, _ text: String) {
        (self.path, bytes, previous, isDerived) = (path, Array(text.utf8), nil, false)
    }

    init(changing path: String, from previous: [UInt8], to bytes: [UInt8]) {
        (self.path, self.bytes, self.previous, isDerived) = (path, bytes, previous, false)
    }

    init(derived path: String, from previous: [UInt8]?, to bytes: [UInt8]) {
        (self.path, self.bytes, self.previous, isDerived) = (path, bytes, previous, true)
    }

    /// The lines that are not in what is there now, in their order; of a new file all.
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
