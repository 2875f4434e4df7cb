public import JSONLines

/// The user asked for a page of results.
public struct Search: TrackingEvent, Equatable {
    public static let name = "search"

    /// What was searched for.
    public let query: String
    /// Which page of the results, from 1.
    public let page: Int

    /// Makes the event.
    public init(query: String, page: Int) {
        self.query = query
        self.page = page
    }

    public func writeValue(to json: inout JSONWriter) {
        json.beginObject()
        json.key("query")
        json.string(query)
        json.key("page")
        json.integer(page)
        json.endObject()
    }
}

extension TrackingEvent where Self == Search {
    /// The user asked for a page of results, from 1.
    public static func search(query: String, page: Int) -> Self { Search(query: query, page: page) }
}
