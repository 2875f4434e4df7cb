#if Collector
    package import CollectorIntake
    package import CollectorStore
    package import EventModel
    internal import EventImport
    internal import JSONLines

    /// Converts messages of clients to events. Thread-safe.
    ///
    /// A message that its mapping or the plan does not accept is stored whole, as the mapping's event for all other
    /// messages, with the reason.
    package struct ClientIntake: Sendable {
        /// The user of messages that name none.
        private static let anonymous = "anonymous"

        private let intake: Intake
        private let mappings: ClientMappings

        package init(_ intake: Intake, _ mappings: ClientMappings) { (self.intake, self.mappings) = (intake, mappings) }

        /// What is stored of a request.
        package struct Result: Sendable {
            package let messages: ClientMessages
            /// The messages that give no event, by their index. Their bytes are kept.
            package let rejected: [(index: Int, reason: String)]
        }

        /// Converts the messages of a request.
        ///
        /// - Parameter app: The app of the key that the client used: it has an install of its own.
        /// - Throws: `StoreError` with `invalidSubmission` if the messages are too long together.
        package func convert(
            _ messages: [ClientMessage], of client: ClientProtocol, app: String, receivedAt: EventTime
        ) throws(StoreError) -> Result {
            let importer = mappings.importer(client, app: app)
            var converted: [ClientMessages.Message] = []
            var rejected: [(index: Int, reason: String)] = []
            for (index, message) in messages.enumerated() {
                let key = message.id.map { Array(LineDigest.bytes(of: Array($0.utf8)).prefix(ClientMessages.keyBytes)) }
                let content = content(of: message, importer, receivedAt)
                if case .rejected(_, let reason, _) = content { rejected.append((index, reason)) }
                converted.append(.init(key: key ?? [], content))
            }
            return Result(
                messages: try ClientMessages(
                    installID: importer.installID, receivedAt: receivedAt, messages: converted),
                rejected: rejected)
        }

        private func content(of message: ClientMessage, _ importer: LineImporter, _ receivedAt: EventTime)
            -> ClientMessages.Message.Content
        {
            func reject(_ code: String, _ reason: String) -> ClientMessages.Message.Content {
                .rejected(code: code, message: reason, bytes: message.bytes)
            }
            guard let members = message.members else {
                return reject("syntax", "the message is not a JSON object with the required members")
            }
            let line: ForeignLine
            do { line = try ForeignLine(members) } catch {
                return reject("syntax", "the message is nested too deeply, or has an integer beyond ±(2^53−1)")
            }
            var fallback = LineImporter.Fallback(time: receivedAt, user: Self.anonymous)
            do {
                let container = try importer.container(of: line, seq: EventRecord.highestSeq, fallback: fallback)
                switch intake.verdict(on: container.bytes) {
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
            do {
                let container = try importer.container(of: line, seq: EventRecord.highestSeq, fallback: fallback)
                switch intake.verdict(on: container.bytes) {
                case .valid: return .event(.init(container, isValidated: true))
                case .unvalidated: return .event(.init(container, isValidated: false))
                case .invalid(let problem): return reject("envelope", problem)
                }
            } catch {
                let reason = (error as? Refusal)?.reason ?? "the message could not be converted"
                return reject(reason == Refusal.tooLong.reason ? "too-large" : "envelope", reason)
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
#endif
