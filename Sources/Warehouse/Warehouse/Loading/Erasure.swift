internal import EventModel
internal import Foundation
internal import JSONLines
internal import LogFiles
internal import Primitives
internal import StreamClient

/// Removes a user's events from the stream's partitions and from ClickHouse, and proves it: afterwards both are searched again.
///
/// The states of the partitions must be open, so no loader runs meanwhile; the stream keeps what arrives. Everything in the
/// stream is loaded first: then the messages that are replaced are in no future block. An interrupted erasure is continued
/// by running it again.
package struct Erasure {
    /// What was removed from a place, and what is left.
    package struct Result {
        package let place: String
        package let events: Int64
        /// Events of the user that are still found; 0, unless others add events at the same time.
        package let left: Int64
    }

    let stream: JetStream
    let partitions: [PartitionLoader]
    let clickhouse: ClickHouseStore?
    let user: String

    /// Erases the user.
    ///
    /// - Throws: `StreamError`, `LoaderError`.
    func run() throws -> [Result] {
        try loadAll()
        var results = [try eraseStream()]
        // The remainders of the messages: only their erased numbers are new.
        try loadAll()
        if let clickhouse {
            let events = try clickhouse.erase(user: user)
            results.append(Result(place: clickhouse.name, events: events, left: try clickhouse.count(user: user)))
        }
        return results
    }

    private func loadAll() throws {
        for partition in partitions { try partition.loadAll() }
    }

    private func eraseStream() throws -> Result {
        var events: Int64 = 0
        for partition in partitions { events += try eraseMessages(partition.partition) }
        var left: Int64 = 0
        // A replica may still have what was just removed.
        for _ in 0..<20 {
            left = 0
            for partition in partitions {
                try forEachMessage(partition.partition) { _, message, _ in
                    if let rest = message.removing(isOfUser) { left += message.lineCount - rest.lineCount }
                }
            }
            guard left > 0, Interruption.wait(.milliseconds(500)) else { break }
        }
        return Result(place: stream.address, events: events, left: left)
    }

    private func eraseMessages(_ partition: Int) throws -> Int64 {
        var events: Int64 = 0
        try forEachMessage(partition) { sequence, message, digest in
            guard let rest = message.removing(isOfUser) else { return }
            // In this order: if it is interrupted, the message is still there, and all of it is done again.
            _ = try stream.publish([.init(StreamNames.events(partition), rest.payload, id: rest.id)])
            let record = ErasedMessage(sequence: sequence, digest: digest)
            _ = try stream.publish([.init(StreamNames.erased(partition), record.payload)])
            _ = try stream.erase(sequence, of: StreamNames.events)
            events += message.lineCount - rest.lineCount
        }
        return events
    }

    /// Calls `body` with the messages that the partition has now.
    private func forEachMessage(
        _ partition: Int, _ body: (_ sequence: Int64, _ message: StreamMessage, _ digest: UInt64) throws -> Void
    ) throws {
        let subject = StreamNames.events(partition)
        // From the leader: a replica may be behind. What `body` publishes has higher sequences.
        let last = try stream.lastSequence(of: StreamNames.events, subject: subject)
        var sequence: Int64 = 0
        var isReading = true
        while sequence < last, isReading {
            let (messages, _) = try stream.messages(of: StreamNames.events, subject: subject, after: sequence)
            for next in messages where next.sequence <= last {
                let message: StreamMessage
                do throws(StreamMessageError) { message = try StreamMessage(payload: next.data) } catch {
                    throw StreamError(
                        .invalidMessage,
                        "message \(next.sequence) of \(StreamNames.events) cannot be read: \(error); update the loader"
                    )
                }
                try body(next.sequence, message, next.data.withUnsafeBytes(LineDigest.summand(of:)))
            }
            sequence = messages.last?.sequence ?? sequence
            if messages.isEmpty { isReading = Interruption.wait(.milliseconds(100)) }
        }
    }

    private func isOfUser(_ line: UnsafeRawBufferPointer) -> Bool {
        // Parses only lines that have the id somewhere.
        guard mayHave(line) else { return false }
        // Byte by byte: Swift compares strings by their characters.
        return JSONValue(validating: line)?[.userID]?.stringValue?.utf8.elementsEqual(user.utf8)
            ?? false
    }

    /// Whether a line has the bytes of the id, or an escape that could be part of it.
    private func mayHave(_ line: UnsafeRawBufferPointer) -> Bool {
        line.contains(UInt8(ascii: "\\")) || Data(line).range(of: Data(user.utf8)) != nil
    }
}
