// tracking:double
public protocol Database: Sendable {
    func read<Value: Sendable>(_ query: @escaping @Sendable (Int) throws -> Value) throws -> Value
    func write(_ updates: (String) throws -> Void) throws
    func count(where matches: (Int) -> Bool, limit: Int) async -> Int
    func each(_ body: (Int) throws -> Void) rethrows
    func compare(_ one: (Int) -> Int, with other: (Int) -> Int) -> Bool
    func later(_ work: (() -> Void)?)
    func visit(_ row: (Int) throws(FeedError) -> Void) throws(FeedError)
    func merge(_ one: (Int) throws(FeedError) -> Int, with other: (Int) -> Int) async throws(FeedError) -> Int
    func wrap(_ work: inout (Int) -> Int)
}
