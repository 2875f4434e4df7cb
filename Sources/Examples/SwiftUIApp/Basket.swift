/// The articles in the basket.
@MainActor
final class Basket {
    private(set) var articles: [String] = []

    func add(_ article: String) { articles.append(article) }

    /// Buys all articles.
    ///
    /// - Returns: The number of articles bought; nil if the basket is empty.
    func pay() -> Int? {
        guard !articles.isEmpty else { return nil }
        defer { articles = [] }
        return articles.count
    }
}
