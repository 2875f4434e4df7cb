/// <https://developer.apple.com/documentation/swiftui/app>
@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    /// <https://developer.apple.com/documentation/swiftui/app/body-swift.property>
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
    /// <https://developer.apple.com/documentation/swiftui/app/init()>
    @MainActor @preconcurrency init()
}

extension App {
    /// <https://developer.apple.com/documentation/swiftui/app/main()>
    public static func main() { fatalError("the stubs can't run an app; tests host its views") }
}

/// <https://developer.apple.com/documentation/swiftui/scene>
@MainActor @preconcurrency
public protocol Scene {}

/// <https://developer.apple.com/documentation/swiftui/scenebuilder>
@resultBuilder
public enum SceneBuilder {
    /// <https://developer.apple.com/documentation/swiftui/scenebuilder/buildblock(_:)>
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// <https://developer.apple.com/documentation/swiftui/windowgroup>
public struct WindowGroup<Content: View>: Scene {
    /// <https://developer.apple.com/documentation/swiftui/windowgroup/init(content:)>
    nonisolated public init(@ViewBuilder content: @escaping () -> Content) {}
}
