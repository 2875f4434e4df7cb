internal import Repositories
internal import TrackingCore

/// A section of the first screen could not be shown.
struct SectionFailed: TrackingEvent, Equatable {
    static let name = "section-failed"

    /// Which section.
    let section: FirstScreenSection
    /// Why.
    let reason: RequestFailure
}

extension TrackingEvent where Self == SectionFailed {
    /// A section of the first screen could not be shown.
    static func sectionFailed(_ section: FirstScreenSection, _ reason: RequestFailure) -> Self {
        SectionFailed(section: section, reason: reason)
    }
}
