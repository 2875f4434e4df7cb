internal import DeliveryProtocol
package import EventModel
internal import Primitives

/// Messages of other systems' clients. They get their numbers when they are stored: one install represents
/// all clients of a source.
package struct ClientMessages: Sendable {
    /// How long a message with an id is remembered: a retry within this time is not stored again.
    package static let memory = Duration.seconds(7 * 86_400)
    /// The length of ``Message/key`` in bytes.
    package static let keyBytes = 16

    /// A message, converted to an event or rejected.
    package struct Message: Sendable {
        package enum Content: Sendable {
            case event(Event)
            /// A message that gives no event; its exact bytes are kept.
            case rejected(code: String, message: String, bytes: [UInt8])
        }

        /// Identifies the message among those of its source: the first bytes of a SHA-256. Empty if the client
        /// gave it no id: then each attempt is stored.
        package var key: [UInt8]
        package var content: Content

        package init(key: [UInt8], _ content: Content) { (self.key, self.content) = (key, content) }

        /// The length of its line or of its own bytes.
        package var bytes: Int {
            switch content {
            case .event(let event): event.line.count
            case .rejected(_, _, let bytes): bytes.count
            }
        }
    }

    /// An event without its number.
    package struct Event: Sendable {
        /// The line, without a line feed, with a placeholder instead of the number.
        package var line: [UInt8]
        /// The placeholder.
        package var seq: Range<Int>
        package var time: EventTime
        package var user: String
        package var schema: String
        package var isValidated: Bool

        package init(
            line: [UInt8], seq: Range<Int>, time: EventTime, user: String, schema: String, isValidated: Bool
        ) {
            (self.line, self.seq, self.time) = (line, seq, time)
            (self.user, self.schema, self.isValidated) = (user, schema, isValidated)
        }
    }

    package let installID: String
    package let receivedAt: EventTime
    package let messages: [Message]
    let bytes: Int

    /// - Throws: ``StoreError`` with `invalidSubmission` if the messages are too long together.
    package init(installID: String, receivedAt: EventTime, messages: [Message]) throws(StoreError) {
        (self.installID, self.receivedAt, self.messages) = (installID, receivedAt, messages)
        bytes = messages.reduce(0) { $0 + $1.bytes }
        // A number may be longer than its placeholder.
        guard bytes + 32 * messages.count <= PreparedSubmission.maximumBody else {
            throw StoreError(
                .invalidSubmission,
                "the messages exceed \(PreparedSubmission.maximumBody) bytes as events; send fewer in one request")
        }
    }

    /// The memory that the messages use, in bytes, to bound the queue.
    var cost: Int { bytes + 256 * messages.count + 1024 }

    /// The messages that are not known, with their numbers.
    struct Numbered {
        /// Nil if all messages are known.
        var new: New?
        /// The numbers of the known messages.
        var duplicates: [ClosedRange<Int64>] = []

        struct New {
            var submission: Submission
            var seqs: ClosedRange<Int64>
            var keys: [BatchFrame.MessageKey]
        }
    }

    /// Numbers the messages, in order.
    ///
    /// - Parameters:
    ///   - highest: The last number that was used.
    ///   - known: The number of a message that is stored.
    func numbered(after highest: Int64, known: (_ key: [UInt8]) throws -> Int64?) rethrows -> Numbered {
        var (seq, body): (Int64, [UInt8]) = (highest, [])
        body.reserveCapacity(bytes + 8 * messages.count)
        var duplicates: Set<Int64> = []
        var keys: [BatchFrame.MessageKey] = []
        var numbers: [[UInt8]: Int64] = [:]
        var kept: [(message: Message, seq: Int64, bytes: Range<Int>)] = []
        for message in messages {
            if !message.key.isEmpty {
                // Twice in this request: its number is new.
                if numbers[message.key] != nil { continue }
                if let known = try known(message.key) {
                    duplicates.insert(known)
                    continue
                }
            }
            seq += 1
            if !message.key.isEmpty {
                keys.append(.init(seq: seq, key: message.key))
                numbers[message.key] = seq
            }
            let start = body.count
            switch message.content {
            case .event(let event):
                body += event.line[..<event.seq.lowerBound]
                body += "\(seq)".utf8
                body += event.line[event.seq.upperBound...]
            case .rejected(_, _, let bytes): body += bytes
            }
            kept.append((message, seq, start..<body.count))
        }
        let ranges = NumberRanges.ranges(of: duplicates.sorted())
        guard !kept.isEmpty else { return Numbered(duplicates: ranges) }
        var submission = Submission(.imported(installID: installID), receivedAt: receivedAt, body: body)
        for (index, (message, seq, bytes)) in kept.enumerated() {
            switch message.content {
            case .event(let event):
                submission.accept(
                    seq: seq, number: index + 1, bytes: bytes, time: event.time, user: event.user,
                    schema: event.schema, isValidated: event.isValidated)
            case .rejected(let code, let reason, _):
                submission.reject(
                    .init(seq: seq, id: nil, line: index + 1, code: code, message: reason), bytes: bytes)
            }
        }
        return Numbered(
            new: .init(submission: submission, seqs: highest + 1...seq, keys: keys), duplicates: ranges)
    }
}
