internal import Primitives

/// The servers that do not accept compressed bodies, for the lifetime of the process. Thread-safe.
package final class CompressionMemory: Sendable {
    /// The memory that all clients of the process share.
    package static let process = CompressionMemory()

    private let origins = Locked<Set<String>>([])

    package init() {}

    /// Whether bodies for a server may be compressed.
    func allowsCompression(for origin: String) -> Bool { !origins.withLock { $0.contains(origin) } }

    /// Records that a server has answered 415 to a compressed body.
    func forbidCompression(for origin: String) { origins.withLock { _ = $0.insert(origin) } }
}
