/// A file that the generator made.
package struct GeneratedFile: Hashable, Sendable {
    /// Its name, without a folder.
    package let name: String
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
