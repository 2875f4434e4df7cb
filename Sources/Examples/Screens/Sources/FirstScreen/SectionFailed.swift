internal import Repositories
internal import TrackingCore

/// A section of the first screen failed to load.
struct SectionFailed: TrackingEvent, Equatable {
    static let name = "section-failed"

    /// The section.
    let section: FirstScreenSection
    /// The reason.
    let reason: RequestFailure
}

extension TrackingEvent where Self == SectionFailed {
    /// A section of the first screen failed to load.
    static func sectionFailed(_ section: FirstScreenSection, _ reason: RequestFailure) -> Self {
        SectionFailed(section: section, reason: reason)
    }
}
