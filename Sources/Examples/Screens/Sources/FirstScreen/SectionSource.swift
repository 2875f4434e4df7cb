internal import Repositories

// tracking:double
/// Where the sections come from, handed in so that tests answer for it.
protocol SectionSource: Sendable {
    /// What a section shows, best first.
    func repositories(of section: FirstScreenSection) async throws(RequestFailure) -> [Repository]
}
