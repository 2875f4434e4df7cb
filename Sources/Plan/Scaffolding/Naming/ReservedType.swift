/// A type or module whose name an app's type must not have: the app's type would hide it, and code that uses it would
/// no longer compile.
struct ReservedType: Hashable {
    let name: String
    /// The owner, for messages: `that of Foundation`.
    let owner: String

    private static let all: [String: ReservedType] = {
        let lists = [
            (swift, "that of Swift"), (foundation, "that of Foundation"), (testing, "that of Testing"),
            (xcTest, "that of XCTest"), (tracking, "that of Tracking"),
            (trackingDomainEvents, "that of TrackingDomainEvents"), (trackingHTTP, "that of TrackingHTTP"),
            (trackingTesting, "that of TrackingTesting"), (modules, "the module of that name"),
        ]
        let types = lists.flatMap { list, owner in
            names(list).map { (String($0), ReservedType(name: String($0), owner: owner)) }
        }
        // Some modules have the name of a type; either reason will do.
        return Dictionary(types) { first, _ in first }
    }()

    /// Returns the words of a list.
    static func names(_ list: String) -> [Substring] { list.split(whereSeparator: \.isWhitespace) }

    /// Returns the owner of a name; nil if the name is free.
    static func named(_ name: String) -> ReservedType? { all[name] }
}
