internal import CollectorStore
internal import EventModel
internal import Primitives

/// The installs that were acknowledged on an earlier day (UTC): an attacker who draws new install ids has none. Thread-safe.
final class KnownInstalls: Sendable {
    /// The most installs, the newest ones, with 8 bytes each.
    private static let maximumCount = 4_000_000
    private static let microsecondsPerDay: Int64 = 86_400_000_000

    private let state = Locked<(day: Int64, hashes: [Int])>((.min, []))

    func contains(_ install: String) -> Bool {
        let hash = install.hashValue
        return state.withLock { state in
            var low = 0
            var high = state.hashes.count
            while low < high {
                let middle = (low + high) / 2
                if state.hashes[middle] < hash { low = middle + 1 } else { high = middle }
            }
            return low < state.hashes.count && state.hashes[low] == hash
        }
    }

    /// Reads the installs again if a day has begun since the last time. May block for the disk.
    ///
    /// - Throws: ``StoreError``: `index-failed`. The former installs stay known.
    func refresh(from store: BatchStore, at now: EventTime) throws(StoreError) {
        let day = now.microseconds / Self.microsecondsPerDay
        guard state.withLock({ $0.day }) != day else { return }
        let start = EventTime(microseconds: day * Self.microsecondsPerDay)
        var hashes = try store.installs(before: start, limit: Self.maximumCount) { $0.hashValue }
        hashes.sort()
        state.withLock { [hashes] in $0 = (day, hashes) }
    }
}
