internal import Primitives

/// Which servers do not accept compressed bodies, for the life of the process. Safe from any thread.
package final class CompressionMemory: Sendable {
    /// The memory that all clients of the process share.
    package static let process = CompressionMemory()

    private let origins = Locked<Set<String>>([])

    package init() {}

    /// Whether a server may get compressed bodies.
    func allowsCompression(for origin: String) -> Bool { !origins.withLock { $0.contains(origin) } }

    /// Notes that a server has answered 415 to a compressed body.
    func forbidCompression(for origin: String) { origins.withLock { _ = $0.insert(origin) } }
}
