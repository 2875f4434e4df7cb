internal import Repositories

// tracking:double
/// Loads the sections, a dependency that tests replace.
protocol SectionSource: Sendable {
    /// The content of a section, best first.
    func repositories(of section: FirstScreenSection) async throws(RequestFailure) -> [Repository]
}
