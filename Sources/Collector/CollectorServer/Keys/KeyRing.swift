package import CollectorStore
internal import Foundation
internal import Primitives

/// The keys that requests are checked against. Thread-safe.
package final class KeyRing: Sendable {
    private let file: KeyFile
    private let state: Locked<State>

    private struct State {
        var byDigest: [[UInt8]: AccessKey] = [:]
        var stamp: FileStamp?
    }

    /// What a key permits.
    package enum Access: Equatable, Sendable {
        case granted(AccessKey)
        case unknown
        case revoked
    }

    /// Reads the keys.
    ///
    /// - Throws: ``StoreError``: `cannot-open`, `damaged`.
    package init(_ file: KeyFile) throws(StoreError) {
        self.file = file
        state = Locked(State())
        _ = try reload()
    }

    /// Reads the file again if it changed. Keeps the keys if the file is unreadable.
    ///
    /// - Returns: Whether the keys changed.
    /// - Throws: ``StoreError``: `cannot-open`, `damaged`.
    package func reload() throws(StoreError) -> Bool {
        let stamp = FileStamp(file.path)
        guard stamp != state.withLock({ $0.stamp }) else { return false }
        let keys = try file.read()
        state.withLock { state in
            state.stamp = stamp
            state.byDigest = Dictionary(
                keys.compactMap { key in [UInt8](hexadecimal: key.digest).map { ($0, key) } },
                uniquingKeysWith: { first, _ in first })
        }
        return true
    }

    /// What a key permits. Only digests are compared, so the time reveals nothing about a key.
    package func access(_ key: String) -> Access { access(digest: SHA256.bytes(of: Array(key.utf8))) }

    /// The same for the SHA-256 of a key.
    func access(digest: [UInt8]) -> Access {
        guard let entry = state.withLock({ $0.byDigest[digest] }) else { return .unknown }
        return entry.revokedAt == nil ? .granted(entry) : .revoked
    }
}
