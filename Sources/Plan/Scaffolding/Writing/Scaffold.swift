/// The result of a scaffolding command: files, and the next steps for the user.
package struct Scaffold: Sendable {
    /// The files, in the order in which messages list them.
    package internal(set) var files: [ScaffoldFile] = []
    /// The next steps in order, as sentences and commands.
    package internal(set) var steps: [String] = []

    init() {}
}

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

/// Splits a file into lines by bytes, since Swift treats CR LF as one character.
enum TextLines {
    /// Returns the lines without line feeds; carriage returns stay. Text after the last line feed is a line, too.
    static func of(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
}
