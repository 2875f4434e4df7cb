internal import Primitives

/// Storage that is gone with the process, for tests and for users who live in one run.
public final class InMemoryKeyValueStorage: KeyValueStorage {
    private let values: Locked<[String: String]>

    /// Makes storage that holds `values`.
    public init(_ values: [String: String] = [:]) { self.values = Locked(values) }

    public func string(forKey key: String) -> String? { values.withLock { $0[key] } }

    public func set(_ value: String?, forKey key: String) { values.withLock { $0[key] = value } }
}
