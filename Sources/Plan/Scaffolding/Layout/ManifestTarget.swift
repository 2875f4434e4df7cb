/// A target that `Package.swift` declares, as far as its text says it.
struct ManifestTarget: Hashable {
    let name: String
    let isTest: Bool
    /// Its folder, if the text names one.
    let path: String?
    /// The text of its declaration, strings and all.
    let text: String

    /// Whether its declaration names something in quotes: a product, a target, a plugin.
    func names(_ word: String) -> Bool { text.contains("\"\(word)\"") }
}
