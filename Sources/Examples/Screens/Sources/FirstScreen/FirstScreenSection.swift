/// The sections of the first screen, from top to bottom.
enum FirstScreenSection: String, CaseIterable, Encodable, Sendable {
    case continued, following, trending, recommended, nearby, topics, languages, releases, collections, sponsored
}
