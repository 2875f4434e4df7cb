/// A target that `Package.swift` declares, as far as its text shows.
struct ManifestTarget: Hashable {
    let name: String
    let isTest: Bool
    /// Its folder, if the text names one.
    let path: String?
    /// The folders and files that it compiles, if the text lists them.
    let sources: [String]?
    /// The computed arguments among `path` and `sources`.
    let computed: [String]
    /// The text of its declaration, including strings.
    let text: String

    /// Returns whether its declaration contains a quoted name: a product, a target, a plugin.
    func names(_ word: String) -> Bool { text.contains("\"\(word)\"") }

    init(
        name: String, isTest: Bool, path: String? = nil, sources: [String]? = nil, computed: [String] = [], text: String
    ) {
        self.name = name
        self.isTest = isTest
        self.path = path
        self.sources = sources
        self.computed = computed
        self.text = text
    }
}
