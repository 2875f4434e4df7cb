/// The articles that the user has chosen.
@MainActor
final class Basket {
    private(set) var articles: [String] = []

    func add(_ article: String) { articles.append(article) }

    /// Buys everything.
    ///
    /// - Returns: How many articles were bought; nil if there is none.
    func pay() -> Int? {
        guard !articles.isEmpty else { return nil }
        defer { articles = [] }
        return articles.count
    }
}
