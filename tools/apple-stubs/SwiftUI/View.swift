@MainActor @preconcurrency
public protocol View {
    associatedtype Body: View
    @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { fatalError("it has no body") }
}

public struct EmptyView: View {
    nonisolated public init() {}
    public var body: Never { fatalError("it has no body") }
}

extension View {
    /// Performs the action at once if it is to be performed for the initial value; nothing ever changes here.
    nonisolated public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View {
        if initial { action(value, value) }
        return self
    }
}

public enum ScenePhase: Comparable, Hashable, Sendable {
    case background
    case inactive
    case active
}
