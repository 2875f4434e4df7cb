/// <https://developer.apple.com/documentation/swiftui/dynamicproperty>
public protocol DynamicProperty {}

/// <https://developer.apple.com/documentation/swiftui/state>
@propertyWrapper
public struct State<Value>: DynamicProperty {
    /// The storage of the value in the drawn view, which outlives this.
    private final class Location {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    private final class Connection {
        var location: Location
        init(_ location: Location) { self.location = location }
    }

    private let connection: Connection

    /// <https://developer.apple.com/documentation/swiftui/state/init(wrappedvalue:)>
    public init(wrappedValue value: Value) { connection = Connection(Location(value)) }

    /// <https://developer.apple.com/documentation/swiftui/state/init(initialvalue:)>
    public init(initialValue value: Value) { self.init(wrappedValue: value) }

    /// <https://developer.apple.com/documentation/swiftui/state/wrappedvalue>
    public var wrappedValue: Value {
        get { connection.location.value }
        nonmutating set { connection.location.value = newValue }
    }

    /// <https://developer.apple.com/documentation/swiftui/state/projectedvalue>
    public var projectedValue: Binding<Value> {
        let location = connection.location
        return Binding(get: { location.value }, set: { location.value = $0 })
    }
}

extension State: Connectable {
    func connect(to drawing: Drawing, as name: String) {
        connection.location = drawing.kept(name) { connection.location }
    }
}

/// <https://developer.apple.com/documentation/swiftui/binding>
@propertyWrapper
public struct Binding<Value> {
    private let get: () -> Value
    private let set: (Value) -> Void

    init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { (self.get, self.set) = (get, set) }

    /// <https://developer.apple.com/documentation/swiftui/binding/wrappedvalue>
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }

    /// <https://developer.apple.com/documentation/swiftui/binding/projectedvalue>
    public var projectedValue: Binding<Value> { self }
}
