package import CollectorStore
internal import DeliveryProtocol
internal import EventImport
package import EventModel
internal import Primitives

/// Converts messages of clients to events. Thread-safe.
///
/// A message that its mapping or the plan does not accept is stored whole, as the mapping's event for all other
/// messages, with the reason.
package struct ClientIntake: Sendable {
    /// The user of messages that name none.
    private static let anonymous = "anonymous"

    /// The limits of a portion: it must fit a message of a log behind the collector, and it is stored in its own turn.
    private static let portionBytes = 500_000
    private static let portionMessages = 1_000

    private let intake: Intake
    private let mappings: ClientMappings

    package init(_ intake: Intake, _ mappings: ClientMappings) {
        self.intake = intake
        self.mappings = mappings
    }

    /// What is stored of a request.
    package struct Result: Sendable {
        /// In portions of the size of a batch, in order.
        package let portions: [ClientMessages]
        /// The messages that give no event, by their index. Their bytes are kept.
        package let rejected: [(index: Int, reason: String)]
    }

    /// Converts the messages of a request.
    ///
    /// - Parameters:
    ///   - app: The app of the key that the client used: it has an install of its own.
    ///   - maximumLine: The longest line that the collector can forward; nil if it has no limit.
    ///   - bodyBytes: The length of the request's body, decompressed. The work is at most
    ///     ``IntakeLimits/workPerByte`` times as many bytes.
    /// - Throws: ``StoreError``; ``DeliveryProblem``, `tooLarge`, if the messages share so much that they need more work.
    package func convert(
        _ messages: [ClientMessage], of client: ClientProtocol, app: String, receivedAt: EventTime,
        maximumLine: Int? = nil, bodyBytes: Int
    ) throws -> Result {
        var budget = ConversionBudget(bodyBytes: bodyBytes)
        let importer = mappings.importer(client, app: app)
        var portions: [ClientMessages] = []
        var converted: [ClientMessages.Message] = []
        var bytes = 0
        var rejected: [(index: Int, reason: String)] = []
        func finish() throws(StoreError) {
            portions.append(
                try ClientMessages(installID: importer.installID, receivedAt: receivedAt, messages: converted))
            converted = []
            bytes = 0
        }
        for (index, message) in messages.enumerated() {
            try IntakeLimits.check(steps: budget.steps)
            let key = message.id.map { Array(SHA256.bytes(of: Array($0.utf8)).prefix(ClientMessages.keyBytes)) }
            var content = try content(of: message, importer, receivedAt, budget: &budget)
            if case .event(let event) = content, let maximumLine, event.line.count > maximumLine {
                content = reject(
                    message, code: "too-large",
                    reason: "the event has more than \(maximumLine) bytes, the limit of the stream; shorten it")
            }
            if case .rejected(_, let reason, _) = content { rejected.append((index, reason)) }
            let message = ClientMessages.Message(key: key ?? [], content)
            if !converted.isEmpty,
                bytes + message.bytes > Self.portionBytes || converted.count == Self.portionMessages
            {
                try finish()
            }
            converted.append(message)
            bytes += message.bytes
        }
        if !converted.isEmpty { try finish() }
        return Result(portions: portions, rejected: rejected)
    }

    private func reject(_ message: ClientMessage, code: String, reason: String) -> ClientMessages.Message.Content {
        .rejected(
            code: code,
            message: Receipt.Rejection.limited(reason, note: Submission.note(on: message.bytes[...])),
            bytes: Array(message.bytes.prefix(Submission.keptBytes)))
    }

    private func content(
        of message: ClientMessage, _ importer: LineImporter, _ receivedAt: EventTime, budget: inout ConversionBudget
    ) throws(DeliveryProblem) -> ClientMessages.Message.Content {
        func reject(_ code: String, _ reason: String) -> ClientMessages.Message.Content {
            self.reject(message, code: code, reason: reason)
        }
        guard let members = message.members else {
            return reject("syntax", "the message is not a JSON object with the required members")
        }
        let size = message.bytes.count + message.sharedBytes
        let tooLong = Refusal.tooLong.reason
        guard size <= IntakeLimits.maximumMessageBytes else { return reject("too-large", tooLong) }
        try budget.spend(size)
        let line: ForeignLine
        do { line = try ForeignLine(members) } catch {
            return reject("syntax", "the message is nested too deeply, or has an integer beyond ±(2^53−1)")
        }
        var fallback = LineImporter.Fallback(time: receivedAt, user: Self.anonymous)
        // Each attempt reads the line, writes an event, and validates it.
        try budget.spend(3 * size)
        do {
            let container = try importer.container(of: line, seq: EventRecord.highestSeq, fallback: fallback)
            switch intake.verdict(on: container.bytes, &budget.steps) {
            case .valid: return .event(.init(container, isValidated: true))
            case .unvalidated: return .event(.init(container, isValidated: false))
            case .invalid(let problem): fallback.problem = problem
            }
        } catch let refusal as Refusal {
            guard refusal != .skipped else { return reject("skipped", refusal.reason) }
            fallback.problem = refusal.reason
        } catch {
            fallback.problem = "the message could not be converted"
        }
        try budget.spend(3 * size)
        do {
            let container = try importer.container(of: line, seq: EventRecord.highestSeq, fallback: fallback)
            switch intake.verdict(on: container.bytes, &budget.steps) {
            case .valid: return .event(.init(container, isValidated: true))
            case .unvalidated: return .event(.init(container, isValidated: false))
            case .invalid(let problem): return reject("envelope", problem)
            }
        } catch {
            let reason = (error as? Refusal)?.reason ?? "the message could not be converted"
            return reject(reason == tooLong ? "too-large" : "envelope", reason)
        }
    }
}

/// Bounds the bytes that the conversion of a request reads, copies and writes, and the steps for checking its events.
private struct ConversionBudget {
    private let bodyBytes: Int
    private var left: Int
    var steps = 0

    init(bodyBytes: Int) {
        self.bodyBytes = bodyBytes
        // The body was parsed, and each message was copied and parsed.
        left = (IntakeLimits.workPerByte - 3) * bodyBytes
    }

    mutating func spend(_ bytes: Int) throws(DeliveryProblem) {
        left -= bytes
        guard left >= 0 else {
            throw DeliveryProblem(
                .tooLarge,
                """
                converting the messages needs more work than \(IntakeLimits.workPerByte) times the body's \
                \(bodyBytes) bytes, because they share large members; send fewer messages in one request
                """)
        }
    }
}

extension ClientMessages.Event {
    fileprivate init(_ container: LineImporter.Container, isValidated: Bool) {
        self.init(
            line: container.bytes, seq: container.seq, time: container.time, user: container.user,
            schema: container.schema, isValidated: isValidated)
    }
}
