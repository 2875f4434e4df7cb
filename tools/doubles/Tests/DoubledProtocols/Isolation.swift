/// Not Sendable.
public final class Screen {
    public let title: String

    public init(title: String) { self.title = title }
}

// tracking:double
@MainActor
public protocol Navigation {
    func show(_ screen: Screen) -> Bool
    func load(_ screen: Screen) async throws -> Screen
    var top: Screen? { get set }
    nonisolated func name() -> String
}

// tracking:double
public protocol Vault: Actor {
    func open(_ key: String) throws -> Int
    func wait(for key: String) async -> Int
    var isOpen: Bool { get }
}

// tracking:double
public protocol Worker: Hashable, Sendable, CustomStringConvertible {
    @MainActor func draw(_ screen: Screen)
    nonisolated func work(_ amount: sending Screen) async
    func run(on actor: isolated any Actor, _ amount: borrowing String)
}

// tracking:double
nonisolated public protocol Plain: SendableMetatype {
    func run() -> Int
}
