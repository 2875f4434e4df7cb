internal import TrackingCore

/// The content below a repository's page was determined.
struct RelatedShown: TrackingEvent, Equatable {
    static let name = "related-shown"

    /// The source of the items.
    enum Source: String, Encodable, Sendable {
        case related, recommendations, none
    }

    /// The source of the items.
    let source: Source
    /// The number of items; 0 if there are none.
    let count: Int
}

extension TrackingEvent where Self == RelatedShown {
    /// The content below a repository's page was determined.
    static func relatedShown(_ source: RelatedShown.Source, count: Int) -> Self {
        RelatedShown(source: source, count: count)
    }
}
