// Names that SwiftUI and other architecture libraries use. A file that imports them together with Tracking must compile
// without qualified names; `CompanyTests` is such a file.

@propertyWrapper
public struct Environment<Value> {
    public let wrappedValue: Value
    public init(_ value: Value) { wrappedValue = value }
}

@propertyWrapper
public struct State<Value> {
    public let wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

public protocol View {}
public protocol Reducer {}
public protocol Action {}
public struct Effect<Output> { public init() {} }
public final class Store<Content> { public init() {} }
public final class Dispatcher<Content> { public init() {} }
public struct Notification { public init() {} }
public struct Event { public init() {} }
public struct Tracker { public init() {} }
public struct Subscription { public init() {} }
