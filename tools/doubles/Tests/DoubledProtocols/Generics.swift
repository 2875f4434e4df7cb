// tracking:double
public protocol Coder: Sendable {
    func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T
    func encode(_ value: some Encodable) throws -> String
    func all<T>(_ values: [T], named name: String?) async -> [T] where T: Hashable & Sendable
    func best<Value>(_ one: Value, _ other: Value?) -> Value?
    func any(_ value: any Hashable, _ error: (any Error)?) -> any Sendable
    func route<R: Route>(_ route: R, then done: @escaping (R) -> Void)
}

public protocol Route {
    var path: String { get }
}

// tracking:double
public protocol Store<Item> {
    associatedtype Item: Identifiable
    associatedtype Failure: Error where Failure: Equatable
    func item(_ id: Item.ID) throws(Failure) -> Item?
    func all() async -> [Self.Item]
    var last: Item? { get set }
}

// tracking:double
public protocol UserStore: Store where Item == User, Self.Failure == FeedError {
    func rename(_ user: Item, to name: String) -> Item
}

// tracking:double
public protocol CachedUsers: Store<User>, Clearing {
    func clear(_ all: Bool)
}

public struct User: Identifiable, Equatable, Sendable {
    public let id: Int
    public let name: String

    public init(id: Int, name: String) {
        self.id = id
        self.name = name
    }
}
