#if os(Linux)
    import Foundation
#endif

public enum API {
    public struct Request: Equatable, Sendable {
        public init() {}
    }

    // tracking:double
    public protocol Session {
        func send(_ request: Request) -> Bool
    }
}

#if DEBUG || TESTING
    // tracking:double DebugPanelDouble
    public protocol DebugPanel {
        func show()
        #if os(Linux)
            func open(_ terminal: String)
        #elseif os(macOS)
            func open(_ window: Int)
        #else
            func open()
        #endif
    }
#else
    // tracking:double ReleasePanelDouble
    public protocol DebugPanel {
        func show()
    }
#endif

// tracking:double
package protocol PackageOnly {
    func run()
}

// tracking:double FakeClock
/// Says what time it is.
protocol InternalOnly {
    /// Documentation stays where it is.
    func run(
        first: Int,  // a comment
        second: [String: Int],
    ) -> (one: Int, two: String)
}
