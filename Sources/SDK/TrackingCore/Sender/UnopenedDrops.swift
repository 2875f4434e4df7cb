internal import EventLog
internal import EventModel
internal import Foundation

/// Drops by reason that no ledger has yet because the log was not open. They are stored if the log can't be opened. The
/// next log that is opened with the same storage counts them.
struct UnopenedDrops: Codable, Equatable {
    /// The key in the storage.
    static let key = "unopened_drops"

    private struct Entry: Codable, Equatable {
        var count = 0
        /// The times of the first and the last drop, in microseconds.
        var first: Int64?
        var last: Int64?
    }

    private var entries: [String: Entry] = [:]

    init() {}

    init?(_ text: String) {
        // Damaged text loses the counts of drops; the diagnostics have reported each.
        guard let drops = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = drops
    }

    /// The stored form; nil if there are none.
    var text: String? {
        // Counts and times can always be encoded, so nothing is lost.
        guard !entries.isEmpty, let data = try? JSONEncoder().encode(self) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    mutating func count(_ reason: DropReason, at time: EventTime?) {
        var entry = entries[reason.rawValue] ?? Entry()
        entry.count += 1
        if let time = time?.microseconds {
            entry.first = min(entry.first ?? time, time)
            entry.last = max(entry.last ?? time, time)
        }
        entries[reason.rawValue] = entry
    }

    mutating func add(_ other: Self) {
        entries.merge(other.entries) { own, other in
            Entry(
                count: own.count + other.count, first: [own.first, other.first].compactMap { $0 }.min(),
                last: [own.last, other.last].compactMap { $0 }.max())
        }
    }

    /// Counts all drops in a log's ledger.
    func record(in log: any EventStore) {
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
            // A reason stored by a newer version: the count matters more than the reason.
            let reason = DropReason(rawValue: name) ?? .notOpen
            for number in 0..<max(entry.count, 0) {
                let time = number == 0 ? entry.first : entry.last
                log.recordDrop(reason, at: time.map { EventTime(microseconds: $0) })
            }
        }
    }
}

/// The drops of a tracker whose log is not open.
struct OpeningDrops {
    var counts = UnopenedDrops()
    /// The counts as last stored.
    private var saved = UnopenedDrops()
    /// Whether ``counts`` includes the drops that an earlier process stored, and drops are stored from now on.
    var areStored = false
    private struct Kind: Hashable {
        let name: String
        let reason: DropReason
    }

    /// How many events of a name were dropped for a reason since that was last reported.
    private var unreported: [Kind: Int] = [:]

    /// The text to store next; nil if everything is stored.
    mutating func textToStore() -> String? {
        guard areStored, counts != saved else { return nil }
        saved = counts
        return counts.text
    }

    /// Counts an event that found no room, or is only counted. Returns whether it is the first one of its name, which is to
    /// be reported.
    mutating func isFirst(_ name: String, _ reason: DropReason) -> Bool {
        let kind = Kind(name: name, reason: reason)
        defer { unreported[kind, default: -1] += 1 }
        return unreported[kind] == nil
    }

    /// The reports of events that were not reported one by one.
    mutating func reports() -> [TrackingDiagnostic] {
        let counted = unreported.filter { $0.value > 0 }.sorted {
            ($0.key.name, $0.key.reason.rawValue) < ($1.key.name, $1.key.reason.rawValue)
        }
        for kind in unreported.keys { unreported[kind] = 0 }
        return counted.map { .droppedRepeatedly(eventName: $0.key.name, reason: $0.key.reason, count: $0.value) }
    }
}
