internal import EventLog
internal import EventModel
internal import TextRendering

/// Looks how far a log's consumers are.
struct ConsumerCheck {
    private let database: String
    private let options: DoctorOptions
    private let livingRings: Set<String>

    init(_ database: String, _ options: DoctorOptions, livingRings: Set<String>) {
        self.database = database
        self.options = options
        self.livingRings = livingRings
    }

    func findings(_ consumers: [ExaminedConsumer]) -> [Finding] {
        if consumers.isEmpty {
            return [Finding(.consumerBacklog, .note, database, "no consumer has asked for events yet")]
        }
        return consumers.flatMap { [backlog($0)] + delivery($0) + holder($0) + checkpoint($0) }
    }

    private func backlog(_ consumer: ExaminedConsumer) -> Finding {
        let name = consumer.cursor.consumer
        let age = consumer.oldest.map { options.now.duration(since: $0).components.seconds }
        let numbers = [
            "acknowledged": consumer.cursor.acknowledged, "events": consumer.backlog, "bytes": consumer.backlogBytes,
            "oldest_age_s": age ?? 0,
        ]
        guard let age, consumer.backlog > 0 else {
            return Finding(.consumerBacklog, .ok, database, "\(name) has had everything", numbers: numbers)
        }
        let text =
            "\(name) has not had \(consumer.backlog.counted("event")) (\(consumer.backlogBytes.counted("byte"))), "
            + "the oldest \(Duration.seconds(max(age, 0)).rough) old"
        guard age > DoctorOptions.lateAfter.components.seconds else {
            return Finding(.consumerBacklog, .ok, database, text, numbers: numbers)
        }
        return Finding(
            .consumerBacklog, .warning, database, text,
            advice: "see why its sink does not deliver; if it is gone for good, retention waits for it for ever",
            numbers: numbers)
    }

    private func delivery(_ consumer: ExaminedConsumer) -> [Finding] {
        let (name, delivery) = (consumer.cursor.consumer, consumer.delivery)
        var findings: [Finding] = []
        if let halt = delivery.halt {
            findings.append(
                Finding(
                    .consumerDelivery, .warning, database, "\(name) has stopped: \(halt)",
                    advice: "correct the sink's settings; the next start of the app tries again"))
        } else if delivery.failures > 0, let until = delivery.pausedUntil {
            let rest = until.duration(since: options.now)
            let when = rest > .zero ? "in \(rest.rough)" : "with the next flush"
            findings.append(
                Finding(
                    .consumerDelivery, .note, database,
                    "\(name) has failed \(delivery.failures.counted("time")) in a row, and is tried again \(when)",
                    advice: "nothing to do; the app's diagnostics say why",
                    numbers: ["failures": Int64(delivery.failures)]))
        }
        if delivery.voided > 0 {
            let unanswered = delivery.unanswered
            let ids = unanswered.isEmpty ? "" : ": " + unanswered.suffix(3).joined(separator: ", ")
            findings.append(
                Finding(
                    .consumerDelivery, .note, database,
                    "\(delivery.voided.grouped) \(delivery.voided == 1 ? "batch" : "batches") for \(name) voided, "
                        + "\(unanswered.count) of them delivered without an answer\(ids)",
                    advice: unanswered.isEmpty
                        ? "nothing to do: their events came in other batches"
                        : "the server may have their events twice, under another batch id",
                    numbers: ["voided": Int64(delivery.voided), "unanswered": Int64(unanswered.count)]))
        }
        return findings
    }

    private func holder(_ consumer: ExaminedConsumer) -> [Finding] {
        guard let holder = consumer.holder, !livingRings.contains(holder) else { return [] }
        return [
            Finding(
                .consumerHolder, .note, database,
                "\(consumer.cursor.consumer) was being delivered to by a process that has ended",
                advice: "nothing to do: the next flush takes over, and delivers the batch that was cut short again")
        ]
    }

    private func checkpoint(_ consumer: ExaminedConsumer) -> [Finding] {
        guard let series = SinkSeries.name(ofConsumer: consumer.cursor.consumer),
            let checkpoint = FileCheckpoint(consumer.cursor.checkpoint)
        else { return [] }
        let folder = FolderContent.folder(of: database)
        let files = FolderContent.paths(folder).compactMap { LineFile(path: $0) }
            .filter { $0.series == series && $0.isDelivered }
        // The sink writes somewhere else.
        if files.isEmpty { return [] }
        let open = "\(folder)/\(series).jsonl"
        let length = FileFacts(open)?.size
        if length == checkpoint.bytes {
            return [
                Finding(
                    .consumerCheckpoint, .ok, open, "as long as its checkpoint says",
                    numbers: ["bytes": checkpoint.bytes])
            ]
        }
        // The process ended between the renaming of the file and the acknowledgement.
        if files.contains(where: { $0.location == checkpoint.firstSeq && FileFacts($0.path)?.size == checkpoint.bytes })
        {
            return [
                Finding(
                    .consumerCheckpoint, .note, open, "its rotation was cut short, after the renaming",
                    advice: "nothing to do: the next flush goes on from there")
            ]
        }
        let numbers = ["bytes": length ?? 0, "checkpoint": checkpoint.bytes]
        if let length, length > checkpoint.bytes {
            return [
                Finding(
                    .consumerCheckpoint, .note, open,
                    "\(length - checkpoint.bytes) bytes stand behind its checkpoint: a delivery was cut short",
                    advice: "nothing to do: the next flush cuts them off and writes them again", numbers: numbers)
            ]
        }
        return [
            Finding(
                .consumerCheckpoint, .error, open,
                length.map { "it is \(checkpoint.bytes - $0) bytes shorter than its checkpoint says" } ?? "it is gone",
                advice: "look for what was cut off; the next flush writes it again as far as the log still has it",
                numbers: numbers)
        ]
    }
}

/// Shows what a log lost on purpose, by reason and consumer. The ledger never forgets: what stands there is no warning.
enum LedgerCheck {
    static func findings(_ ledger: [ExaminedDrops], _ database: String) -> [Finding] {
        if ledger.isEmpty { return [Finding(.ledger, .ok, database, "nothing was dropped")] }
        return ledger.map { drops in
            let (reason, count) = (drops.reason, drops.count)
            let to = drops.consumer.map { " for \($0)" } ?? ""
            return Finding(
                .ledger, .note, database, "\(count.counted("event")) dropped\(to): \(reason)", advice: advice(reason),
                numbers: ["count": count])
        }
    }

    private static func advice(_ reason: String) -> String? {
        switch DropReason(rawValue: reason) {
        case .encoding?, .tooLarge?, .invalidName?:
            "mend the event's type: it cannot be written; TrackingValidation finds it in a test"
        case .unplanned?: "write the event's schema, or let the app allow unplanned events"
        case .runaway?: "find the loop that sends so many events a second"
        case .backlogFull?: "find out why the log could not be written; a full disk, most often"
        case .closed?: "send nothing after the log was closed"
        case .notOpen?: "see why the log could not be opened, or not sooner; the environment's diagnostics say so"
        case .evicted?: "raise the hard cap of the retention, or see why a consumer is behind"
        case .refused?: "look at the sink's dead letters and what it says of them"
        case .damaged?: "see the folders that were put aside, and the disk's health"
        case .forked?:
            "nothing to do: a server knew these numbers with other events, so the events got numbers of a new install"
        case .retired?: "name the sink again if it is still wanted: it gets what is sent from then on"
        case .optedOut?, .erased?, .interrupted?, .repeatedID?: nil
        case nil: "a newer version counts by this reason: use its trackctl"
        }
    }
}

/// Shows what a log keeps of events that consumers have refused for good.
enum DeadLetterCheck {
    static func findings(_ letters: ExaminedDeadLetters, _ database: String) -> [Finding] {
        guard letters.count > 0 || letters.evicted > 0 else { return [] }
        let evicted = letters.evicted > 0 ? "; \(letters.evicted.grouped) older ones have gone for the limit" : ""
        return [
            Finding(
                .deadLetters, .note, database,
                "\(letters.count.counted("event")) refused for good (\(letters.bytes.counted("byte")) of lines)\(evicted)",
                advice: "see why they were refused: the table dead_letters has the reasons and the exact lines",
                numbers: ["count": letters.count, "bytes": letters.bytes, "evicted": letters.evicted])
        ]
    }
}
