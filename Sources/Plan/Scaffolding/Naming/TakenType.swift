/// A type, or a module, whose name a type of an app cannot have: it would hide that one, and what uses it in the app
/// would no longer compile.
struct TakenType: Hashable {
    let name: String
    /// Whose it is, for messages: `that of Foundation`.
    let owner: String

    private static let all: [String: TakenType] = {
        let lists = [
            (swift, "that of Swift"), (foundation, "that of Foundation"), (testing, "that of Testing"),
            (xcTest, "that of XCTest"), (tracking, "that of Tracking"),
            (trackingDomainEvents, "that of TrackingDomainEvents"), (trackingHTTP, "that of TrackingHTTP"),
            (trackingTesting, "that of TrackingTesting"), (modules, "the module of that name"),
        ]
        let types = lists.flatMap { list, owner in
            names(list).map { (String($0), TakenType(name: String($0), owner: owner)) }
        }
        // Some modules have the name of a type, which is as good a reason.
        return Dictionary(types) { first, _ in first }
    }()

    /// The words of a list.
    static func names(_ list: String) -> [Substring] { list.split(whereSeparator: \.isWhitespace) }

    /// What has a name already; nil if it is free.
    static func named(_ name: String) -> TakenType? { all[name] }
}
