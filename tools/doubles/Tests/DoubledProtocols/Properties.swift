// tracking:double
public protocol Player: AnyObject {
    var title: String { get }
    var volume: Double { get set }
    var track: String? { get async throws }
    var length: Int { get throws(FeedError) }
    var delegate: (any Player)? { get set }
    var `default`: Int { get }
    subscript(index: Int) -> String { get }
    subscript(name name: String, fallback: Int) -> Int { get set }
    static var shared: Int { get set }
    static func make(_ title: String) -> Int
}

// tracking:double
public protocol Model {
    init()
    init(id: Int) throws
    init?(name: String, _ age: Int)
    static func named(_ name: String) -> Self
    func isSame(as other: Self) -> Bool
}

// tracking:double
public protocol Labelled: Identifiable where ID == String {
    var id: String { get }
}

// tracking:double
public protocol Numbered: Identifiable where ID: Sendable {}
