/// <https://developer.apple.com/documentation/swiftui/environmentkey>
public protocol EnvironmentKey {
    associatedtype Value
    /// <https://developer.apple.com/documentation/swiftui/environmentkey/defaultvalue>
    static var defaultValue: Self.Value { get }
}

/// <https://developer.apple.com/documentation/swiftui/environmentvalues>
public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    /// <https://developer.apple.com/documentation/swiftui/environmentvalues/init()>
    public init() {}

    /// <https://developer.apple.com/documentation/swiftui/environmentvalues/subscript(_:)>
    public subscript<K: EnvironmentKey>(key: K.Type) -> K.Value {
        get { values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}

/// <https://developer.apple.com/documentation/swiftui/environment>
@propertyWrapper
public struct Environment<Value>: DynamicProperty {
    private final class Connection {
        var values = EnvironmentValues()
    }

    private let keyPath: KeyPath<EnvironmentValues, Value>
    private let connection = Connection()

    /// <https://developer.apple.com/documentation/swiftui/environment/init(_:)>
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

    /// <https://developer.apple.com/documentation/swiftui/environment/wrappedvalue>
    public var wrappedValue: Value { connection.values[keyPath: keyPath] }
}

extension Environment: Connectable {
    func connect(to drawing: Drawing, as name: String) { connection.values = drawing.environment }
}

extension View {
    /// <https://developer.apple.com/documentation/swiftui/view/environment(_:_:)>
    nonisolated public func environment<V>(
        _ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V
    ) -> some View {
        nonisolated(unsafe) let (keyPath, value) = (keyPath, value)  // used on the main actor only
        return ViewWithAction(content: self) { drawing, drawContent in
            let outer = drawing.environment
            drawing.environment[keyPath: keyPath] = value
            drawContent()
            drawing.environment = outer
        }
    }
}

/// <https://developer.apple.com/documentation/swiftui/scenephase>
public enum ScenePhase: Comparable, Hashable, Sendable {
    /// <https://developer.apple.com/documentation/swiftui/scenephase/background>
    case background
    /// <https://developer.apple.com/documentation/swiftui/scenephase/inactive>
    case inactive
    /// <https://developer.apple.com/documentation/swiftui/scenephase/active>
    case active
}

private struct ScenePhaseKey: EnvironmentKey {
    static let defaultValue = ScenePhase.background
}

extension EnvironmentValues {
    /// Read-only for apps; ``HostedView`` sets it.
    ///
    /// <https://developer.apple.com/documentation/swiftui/environmentvalues/scenephase>
    public internal(set) var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }
}
