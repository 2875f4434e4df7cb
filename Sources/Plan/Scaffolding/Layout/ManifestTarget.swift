/// A target that `Package.swift` declares, as far as its text says it.
struct ManifestTarget: Hashable {
    let name: String
    let isTest: Bool
    /// Its folder, if the text names one.
    let path: String?
    /// The folders and files in its folder that it compiles, if the text names them.
    let sources: [String]?
    /// The arguments that say where its sources are, and are computed: `path`, `sources`.
    let computed: [String]
    /// The text of its declaration, strings and all.
    let text: String

    /// Whether its declaration names something in quotes: a product, a target, a plugin.
    func names(_ word: String) -> Bool { text.contains("\"\(word)\"") }

    init(
        name: String, isTest: Bool, path: String? = nil, sources: [String]? = nil, computed: [String] = [], text: String
    ) {
        (self.name, self.isTest, self.path, self.sources, self.computed) = (name, isTest, path, sources, computed)
        self.text = text
    }
}
