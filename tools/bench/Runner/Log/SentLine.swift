import CBaselines
import EventLog
import EventModel
import Foundation
import TrackingCore
import TrackingDomainEvents

/// A line as `send` writes it, for what does without the SDK.
enum SentLine {
    static let event = Search(query: "swift event tracking", page: 3)

    static let bytes: [UInt8] = {
        let container = TrackingContainer(
            id: EventID(milliseconds: 1_536_753_247_351, counter: 7, random: 12_345),
            installID: UUID().uuidString, seq: 1_234_567, sessionID: UUID().uuidString, userID: UUID().uuidString,
            time: EventTime(microseconds: 1_536_753_247_351_338),
            context: TrackingContext(app: "Shop 1.0", os: "Linux 6.1"), event: event)
        // The standard events can always be encoded.
        return (try? container.line()) ?? []
    }()

    /// Appends it, as the SDK does, with the line made before.
    static func append(to log: SQLiteEventStore) -> Bool {
        let result = log.append(lineCapacity: bytes.count) { seq, line in
            line.copyBytes(from: bytes)
            return EventStamp(
                id: EventID(milliseconds: UInt64(seq), counter: 0, random: UInt64(seq)),
                time: EventTime(microseconds: 1_700_000_000_000_000 + seq), name: "search", lineLength: bytes.count)
        }
        if case .success = result { return true }
        return false
    }
}

/// A file that lines are written to, one write(2) each.
final class WriteBaseline {
    private let descriptor: CInt

    init(_ folder: LogFolder) throws {
        descriptor = open(folder("baseline"), O_CREAT | O_RDWR, 0o600)
        guard descriptor >= 0 else { throw BenchmarkFailure("cannot create a file in \(folder.path)") }
    }

    deinit { close(descriptor) }

    /// Nanoseconds a line.
    func measure(_ line: [UInt8], count: Int) throws -> Double {
        let total = line.withUnsafeBytes { baseline_write(descriptor, $0.baseAddress, $0.count, Int64(count)) }
        guard total > 0 else { throw BenchmarkFailure("write(2) failed") }
        return Double(total) / Double(count)
    }
}
