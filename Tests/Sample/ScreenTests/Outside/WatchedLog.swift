import EventLog
import EventModel
import Foundation
import JSONLines
import LogFiles

/// The event log of another process, looked at while that writes it.
struct WatchedLog: Sendable {
    let folder: String

    private var path: String { "\(folder)/events.sqlite" }

    /// The events from the first on, as soon as there are so many.
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
            // Until there is nothing more: only then it has looked into the journals, too.
            while case let batch = try reader.read(after: last), let newest = batch.last {
                events += try batch.map { try Self.event(of: $0.line) }
                last = newest.seq
            }
            if events.count >= count { return events }
            let left = (end - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else {
                throw Awaited<[String]>.NeverCame(description: "event \(count) never came; there are \(events)")
            }
            _ = watch.wait(milliseconds: Int32(left))
        }
    }

    /// The events that the app has delivered to its file of lines.
    func delivered() throws -> [String] {
        try Data(contentsOf: URL(fileURLWithPath: "\(folder)/events.jsonl")).split(separator: UInt8(ascii: "\n")).map {
            try Self.event(of: Array($0))
        }
    }

    /// The member `event` of a line: what the rules speak of.
    private static func event(of line: [UInt8]) throws -> String {
        let members = try JSONParser.parseWithMembers(line).members
        guard let event = members.first(where: { $0.name == "event" }) else { return "" }
        return String(decoding: line[event.range], as: UTF8.self)
    }
}
