internal import TrackingCore

/// What stands below a repository's page was settled.
struct RelatedShown: TrackingEvent, Equatable {
    static let name = "related-shown"

    /// Where the items come from.
    enum Source: String, Encodable, Sendable {
        case related, recommendations, none
    }

    /// Where the items come from.
    let source: Source
    /// How many there are; 0 for none.
    let count: Int
}

extension TrackingEvent where Self == RelatedShown {
    /// What stands below a repository's page was settled.
    static func relatedShown(_ source: RelatedShown.Source, count: Int) -> Self {
        RelatedShown(source: source, count: count)
    }
}
