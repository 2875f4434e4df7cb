internal import Foundation
internal import Locking
internal import Synchronization

/// The files that this process writes, by their real path: the answer to "is the owner of our own process
/// number still there?", which the database cannot give.
enum OpenPaths {
    private static let keys = Locked<Set<String>>([])

    private static func key(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        return url.deletingLastPathComponent().resolvingSymlinksInPath().appendingPathComponent(url.lastPathComponent)
            .resolvingSymlinksInPath().path
    }

    /// One instance's right to write a file. It ends once, by `release()` or with the claim's owner: the end of an
    /// instance that was closed before takes nothing from the one that has the file now.
    final class Claim: Sendable {
        private let key: String
        private let isHeld = Atomic(true)

        fileprivate init(key: String) { self.key = key }

        deinit { release() }

        func release() {
            guard isHeld.exchange(false, ordering: .acquiringAndReleasing) else { return }
            _ = keys.withLock { $0.remove(key) }
        }
    }

    static func claim(_ path: String) throws -> Claim {
        let key = key(path)
        guard keys.withLock({ $0.insert(key).inserted }) else {
            throw EventLogError(
                .inUse, "\(path) is already open for writing in this process: share that instance, or close it first")
        }
        return Claim(key: key)
    }
}
