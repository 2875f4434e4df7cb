public import Foundation

/// What fails when a feed is read.
public enum FeedError: Error, Equatable {
    case gone
}

// tracking:double
public protocol FeedSession: Sendable {
    func items(of feed: String, limit: Int) async throws -> [String]
    func title(of feed: String) async -> String
    func size(_ feed: String) throws(FeedError) -> Int
    func close()
    @discardableResult func open(_: String, at _: Int) -> Bool
    func watch(_ feed: String, change: @escaping @Sendable (String) -> Void)
    func log(_ parts: String..., level: Int)
    func note(_ text: @autoclosure () -> String)
    func fill(_ buffer: inout [UInt8]) -> Int
    func trim(_ text: inout String, _ count: inout Int)
    func date(of feed: String, `in` calendar: Calendar?) -> Date!
}
