internal import Foundation
internal import Synchronization

/// The files that this process writes, by their real path: the answer to "is the owner of our own process
/// number still there?", which the database cannot give.
enum OpenPaths {
    private static let keys = Mutex<Set<String>>([])

    static func key(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        return url.deletingLastPathComponent().resolvingSymlinksInPath().appendingPathComponent(url.lastPathComponent)
            .resolvingSymlinksInPath().path
    }

    static func claim(_ path: String) throws -> String {
        let key = key(path)
        guard keys.withLock({ $0.insert(key).inserted }) else {
            throw EventLogError(
                .inUse, "\(path) is already open for writing in this process: share that instance, or close it first")
        }
        return key
    }

    static func release(_ key: String) {
        _ = keys.withLock { $0.remove(key) }
    }
}
