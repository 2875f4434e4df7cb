import EventLog
import EventModel
import Foundation
import JSONLines
import LogFiles

/// The event log of another process, read while that process writes it.
struct WatchedLog: Sendable {
    let folder: String

    private var path: String { "\(folder)/events.sqlite" }

    /// All events, as soon as there are at least `count`.
    ///
    /// - Throws: ``Awaited/NeverCame``; `EventLogError`.
    func events(atLeast count: Int) async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try wait(count) }) }
        }
    }

    private func wait(_ count: Int) throws -> [String] {
        let end = ContinuousClock.now + .seconds(Patience.seconds)
        let watch = try FolderWatch()
        try watch.add(folder: folder)
        let reader = try EventLogReader(path: path)
        var events: [String] = []
        var last: Int64 = 0
        while true {
            // Reads until there are no more events: only then has the reader read the journals, too.
            while case let batch = try reader.read(after: last), let newest = batch.last {
                events += try batch.map { try Self.event(of: $0.line) }
                last = newest.seq
            }
            if events.count >= count { return events }
            let left = (end - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else {
                throw Awaited<[String]>.NeverCame(
                    description: "event \(count) did not arrive in time; the events are \(events)")
            }
            _ = watch.wait(milliseconds: Int32(left))
        }
    }

    /// The events that the app has delivered to its file of JSON lines.
    func delivered() throws -> [String] {
        try Data(contentsOf: URL(fileURLWithPath: "\(folder)/events.jsonl")).split(separator: UInt8(ascii: "\n")).map {
            try Self.event(of: Array($0))
        }
    }

    /// The member `event` of a line, which the firing rules specify.
    private static func event(of line: [UInt8]) throws -> String {
        let members = try JSONParser.parseWithMembers(line).members
        guard let event = members.first(where: { $0.name == "event" }) else { return "" }
        return String(decoding: line[event.range], as: UTF8.self)
    }
}
