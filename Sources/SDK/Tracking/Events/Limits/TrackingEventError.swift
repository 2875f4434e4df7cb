/// A property of an event that is past a limit of the event's schema. Names the property and the limit, never the value.
public struct TrackingEventError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The property as the schema names it; within others, with the way to it: `basket.items.count`.
    public let property: String
    /// The keyword of the schema: `maxLength`.
    public let keyword: String
    /// What the schema says there: `64`.
    public let limit: String

    /// Makes an error.
    public init(property: String, keyword: String, limit: String) {
        self.property = property
        self.keyword = keyword
        self.limit = limit
    }

    /// The same error as seen from the object that holds `property`.
    public func within(_ property: StaticString) -> TrackingEventError {
        TrackingEventError(property: "\(property).\(self.property)", keyword: keyword, limit: limit)
    }

    /// Property and limit, in a sentence.
    public var description: String { "\(property) breaks its schema's limit \(keyword): \(limit)" }
}
