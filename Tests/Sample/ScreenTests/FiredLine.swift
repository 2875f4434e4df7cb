/// The member `event` of an event's line in the log, which the firing rules specify.
struct FiredLine: Sendable {
    let json: String

    static let launch = FiredLine(json: #"{"name":"launch"}"#)
    static let background = FiredLine(json: #"{"name":"background"}"#)
    static let searchPage = FiredLine(json: #"{"name":"page-view","value":{"page":"repository-search"}}"#)

    static func detailPage(_ repository: ServedRepository) -> FiredLine {
        FiredLine(
            json: #"{"name":"page-view","value":{"page":"repository-detail","additional":"\#(repository.url)"}}"#)
    }

    static func search(_ query: String, page: Int) -> FiredLine {
        FiredLine(json: #"{"name":"search","value":{"query":"\#(query)","page":\#(page)}}"#)
    }

    static func newRelease(of repository: ServedRepository) -> FiredLine {
        FiredLine(
            json: """
                {"name":"notification","value":{"identifier":"new-release",\
                "user_info":{"repository":"\(repository.name)","repository_id":\(repository.id)}}}
                """)
    }
}
