public import JSONLines

/// A screen appeared.
public struct PageView: TrackingEvent, Equatable {
    public static let name = "page-view"

    /// Which screen, such as `repository-detail`.
    public let page: String
    /// Which of its kind: a URL, for instance.
    public let additional: String?

    /// Makes the event.
    public init(page: String, additional: String? = nil) {
        self.page = page
        self.additional = additional
    }

    public func writeValue(to json: inout JSONWriter) {
        json.beginObject()
        json.key("page")
        json.string(page)
        if let additional {
            json.key("additional")
            json.string(additional)
        }
        json.endObject()
    }
}

extension TrackingEvent where Self == PageView {
    /// A screen appeared.
    public static func pageView(_ page: String, additional: String? = nil) -> Self {
        PageView(page: page, additional: additional)
    }
}
