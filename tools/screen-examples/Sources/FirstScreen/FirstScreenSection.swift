internal import Repositories

/// The sections of the first screen, from top to bottom.
enum FirstScreenSection: String, CaseIterable, Encodable, Sendable {
    case continued, following, trending, recommended, nearby, topics, languages, releases, collections, sponsored
}

// tracking:double
/// Where the sections come from, handed in so that tests answer for it.
protocol SectionSource: Sendable {
    /// What a section shows, best first.
    func repositories(of section: FirstScreenSection) async throws(RequestFailure) -> [Repository]
}
