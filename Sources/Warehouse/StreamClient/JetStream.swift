internal import Foundation
internal import JSONLines

/// The streams of a NATS cluster with JetStream: publishes with acknowledgements, and reads by sequence, without
/// consumers on the servers. Use it from one thread; each call blocks.
///
/// After an error with `unavailable`, repeat the call: the connection is restored in the background.
package final class JetStream {
    /// How to connect.
    package struct Options: Sendable {
        /// `nats://host:port` or `tls://host:port`, separated by commas; may contain user and password.
        package var servers: String
        /// The name of this program in the servers' monitoring.
        package var name: String
        /// A file with a user's JWT and key; nil for none.
        package var credentials: String?
        /// PEM certificates of the servers' authority; nil for the system's.
        package var authority: String?
        /// This program's PEM certificate, followed by those of intermediate authorities, for servers with `verify`; nil for
        /// none. It needs ``key``.
        package var certificate: String?
        /// The PEM private key of ``certificate``.
        package var key: String?
        /// The longest wait for a response.
        package var timeout = Duration.seconds(5)

        package init(servers: String, name: String) {
            self.servers = servers
            self.name = name
        }
    }

    private let connection: NATSConnection
    private let timeout: Duration
    private let inbox: String
    private let replies: NATSConnection.Subscription
    /// Numbers the calls, so that late responses to a former call are recognized.
    private var call: Int64 = 0

    /// The servers, for messages.
    package var address: String { connection.address }

    /// The largest payload to publish, in bytes: the servers' `max_payload`, less 4 KiB for header fields.
    package var maximumPayload: Int { connection.maximumPayload - 4096 }

    /// Connects, and checks that the servers are new enough: NATS 2.11 or later.
    ///
    /// - Throws: ``StreamError``.
    package init(_ options: Options) throws(StreamError) {
        connection = try NATSConnection(options)
        timeout = options.timeout
        inbox = try connection.inbox()
        replies = try connection.subscribe("\(inbox).*")
        try checkServer()
    }

    /// Batched direct gets, which ``messages(of:subject:after:limit:bytes:)`` uses, have the API level 1, of NATS 2.11.
    private func checkServer() throws(StreamError) {
        let info = try api("INFO")
        guard let level = info["api"]?["level"]?.integerValue, level >= 1 else {
            throw StreamError(
                .oldServer,
                """
                the NATS servers at \(address) are too old: install NATS 2.11 or later (before 2.10.23, a killed \
                server can lose a stream)
                """)
        }
    }

    /// Sends a request to the JetStream API.
    ///
    /// - Throws: ``StreamError``: `unavailable`, `invalid-message`, `no-stream`, and `rejected` for other errors.
    func api(_ name: String, _ body: JSONValue? = nil) throws(StreamError) -> JSONValue {
        let data: [UInt8]
        do { data = try body.map { try JSONLineEncoder.encode($0) } ?? [] } catch {
            throw StreamError(.invalidMessage, "internal error; please report it: \(error)")
        }
        let response = try connection.request("$JS.API.\(name)", data, timeout: timeout)
        let value: JSONValue
        do { value = try JSONParser.parse(response.data) } catch {
            throw StreamError(
                .invalidMessage, "\(address): the response to \(name) is not JSON; is this a NATS server?",
                underlyingError: error)
        }
        guard let error = value["error"] else { return value }
        throw failure(error, name)
    }

    private func failure(_ error: JSONValue, _ action: String) -> StreamError {
        let text = error["description"]?.stringValue ?? "unknown error"
        switch (error["code"]?.integerValue, error["err_code"]?.integerValue) {
        case (_, 10059):
            return StreamError(.noStream, "\(address) has no such stream; start a collector with --forward first")
        case (_, 10043), (_, 10057), (_, 10037):
            return StreamError(.noMessage, "\(address) has no such message")
        case (_, 10058):
            return StreamError(
                .settings, "\(address): the stream exists with other settings; compare 'nats stream info'")
        // Too much in progress, no leader, or the same message is in progress.
        case (429, _), (503, _), (500, _), (408, _), (409, _):
            return StreamError(.unavailable, "\(address): \(action) failed for now: \(text)")
        default: return StreamError(.rejected, "\(address): \(action) failed: \(text)")
        }
    }

    /// A message to publish.
    package struct Publication: Sendable {
        package var subject: String
        package var data: [UInt8]
        /// The stream ignores a message whose id it has received in the last two minutes.
        package var id: String?
        /// Publish only if this is the sequence of the subject's last message; 0 for none.
        package var expectedLast: Int64?

        package init(_ subject: String, _ data: [UInt8], id: String? = nil, expectedLast: Int64? = nil) {
            self.subject = subject
            self.data = data
            self.id = id
            self.expectedLast = expectedLast
        }
    }

    /// The stream's answer to a message.
    package enum Acknowledgement: Equatable, Sendable {
        /// A majority of the replicas has the message.
        case stored(sequence: Int64)
        /// The stream had a message with this id.
        case duplicate(sequence: Int64)
        /// ``Publication/expectedLast`` is not the last sequence.
        case conflict
    }

    /// Publishes messages, and waits until the stream has acknowledged each.
    ///
    /// - Throws: ``StreamError``. Any of the messages may be stored then: publish all of them again.
    package func publish(_ messages: [Publication]) throws(StreamError) -> [Acknowledgement] {
        call += 1
        for (index, message) in messages.enumerated() {
            var headers: [(String, String)] = []
            if let id = message.id { headers.append(("Nats-Msg-Id", id)) }
            if let last = message.expectedLast {
                headers.append(("Nats-Expected-Last-Subject-Sequence", "\(last)"))
            }
            try connection.publish(
                message.subject, reply: "\(inbox).\(call)-\(index)", headers: headers, message.data)
        }
        var acknowledgements = [Acknowledgement?](repeating: nil, count: messages.count)
        var left = messages.count
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while left > 0 {
            let wait = ContinuousClock.now.duration(to: deadline)
            guard wait > .zero, let (subject, message) = try replies.next(timeout: wait) else {
                throw StreamError(
                    .unavailable,
                    "\(address) has not acknowledged \(left) of \(messages.count) messages within \(timeout); a majority of the replicas may be down"
                )
            }
            guard let index = index(of: subject) else { continue }
            guard acknowledgements.indices.contains(index), acknowledgements[index] == nil else { continue }
            acknowledgements[index] = try acknowledgement(message)
            left -= 1
        }
        return acknowledgements.compactMap(\.self)
    }

    /// The index of a message that a response of the current call is about.
    private func index(of subject: String) -> Int? {
        guard let tail = subject.split(separator: ".").last else { return nil }
        let parts = tail.split(separator: "-")
        guard parts.count == 2, Int64(parts[0]) == call else { return nil }
        return Int(parts[1])
    }

    private func acknowledgement(_ message: NATSConnection.Message) throws(StreamError) -> Acknowledgement {
        if message.status == 503 {
            throw StreamError(
                .unavailable, "\(address): no stream accepts the message; wait until the cluster has a leader")
        }
        let value: JSONValue
        do { value = try JSONParser.parse(message.data) } catch {
            throw StreamError(
                .invalidMessage, "\(address): the acknowledgement is not JSON", underlyingError: error)
        }
        if let error = value["error"] {
            // The second one is of publications at the same time.
            if [10071, 10164].contains(error["err_code"]?.integerValue) { return .conflict }
            throw failure(error, "publishing")
        }
        guard let sequence = value["seq"]?.integerValue, sequence > 0 else {
            throw StreamError(.invalidMessage, "\(address): the acknowledgement has no sequence")
        }
        return value["duplicate"] == .bool(true) ? .duplicate(sequence: sequence) : .stored(sequence: sequence)
    }

    /// A message of a stream.
    package struct Stored: Equatable, Sendable {
        package var sequence: Int64
        package var data: [UInt8]
    }

    /// Reads the messages of a subject after a sequence, in order.
    ///
    /// A replica answers, which may be behind: the result is then shorter, and never has a gap.
    ///
    /// - Returns: At most `limit` messages, and about `bytes` bytes; and whether there may be more now.
    /// - Throws: ``StreamError``: `unavailable`, also if a response was lost; `no-stream`.
    package func messages(
        of stream: String, subject: String, after sequence: Int64, limit: Int = 256, bytes: Int = 4 << 20
    ) throws(StreamError) -> (messages: [Stored], hasMore: Bool) {
        call += 1
        let request: JSONValue = [
            "seq": .integer(sequence + 1), "next_by_subj": .string(subject), "batch": .integer(Int64(limit)),
            "max_bytes": .integer(Int64(bytes)),
        ]
        let data: [UInt8]
        do { data = try JSONLineEncoder.encode(request) } catch {
            throw StreamError(.invalidMessage, "internal error; please report it: \(error)")
        }
        try connection.publish("$JS.API.DIRECT.GET.\(stream)", reply: "\(inbox).\(call)-0", data)
        var found: [Stored] = []
        var last: Int64 = 0
        let deadline = ContinuousClock.now.advanced(by: timeout)
        while true {
            let wait = ContinuousClock.now.duration(to: deadline)
            guard wait > .zero, let (subject, message) = try replies.next(timeout: wait) else {
                throw StreamError(.unavailable, "\(address) has not answered a read of \(stream) within \(timeout)")
            }
            guard index(of: subject) != nil || subject.isEmpty else { continue }
            func number(_ name: String) -> Int64? { message.headers[name].flatMap { Int64($0) } }
            func checkLast() throws(StreamError) {
                guard number("Nats-Last-Sequence") == last else {
                    throw StreamError(.unavailable, "\(address): a response to a read of \(stream) was lost")
                }
            }
            switch message.status {
            case 204:
                try checkLast()
                return (found, (number("Nats-Num-Pending") ?? 0) > 0)
            case 404: return ([], false)
            case 503:
                throw StreamError(
                    .unavailable,
                    "\(address) does not serve \(stream); create it with a collector's --forward, or wait for its leader"
                )
            case let status?:
                throw StreamError(
                    .rejected,
                    "\(address): reading \(stream) failed with status \(status): \(message.headers["Description"] ?? "")"
                )
            case nil:
                guard let sequence = number("Nats-Sequence") else {
                    throw StreamError(.invalidMessage, "\(address): a message of \(stream) has no sequence")
                }
                try checkLast()
                last = sequence
                found.append(Stored(sequence: sequence, data: message.data))
            }
        }
    }

    /// The sequence of a subject's last message, from the stream's leader; 0 without messages.
    ///
    /// - Throws: ``StreamError``.
    package func lastSequence(of stream: String, subject: String) throws(StreamError) -> Int64 {
        do {
            let response = try api("STREAM.MSG.GET.\(stream)", ["last_by_subj": .string(subject)])
            return response["message"]?["seq"]?.integerValue ?? 0
        } catch {
            guard error.code == .noMessage else { throw error }
            return 0
        }
    }

    /// Removes a message and overwrites its bytes.
    ///
    /// - Returns: Whether the stream had the message.
    /// - Throws: ``StreamError``.
    package func erase(_ sequence: Int64, of stream: String) throws(StreamError) -> Bool {
        do {
            _ = try api("STREAM.MSG.DELETE.\(stream)", ["seq": .integer(sequence), "no_erase": false])
            return true
        } catch {
            guard error.code == .noMessage else { throw error }
            return false
        }
    }
}
