internal import EventLog
internal import EventModel
internal import TextRendering

/// Checks the progress of a log's consumers.
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
            return [Finding(.consumerBacklog, .note, at: database, message: "no consumer has requested events yet")]
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
            return Finding(.consumerBacklog, .ok, at: database, message: "\(name) is up to date", numbers: numbers)
        }
        let text =
            "\(name) is behind by \(consumer.backlog.counted("event")) (\(consumer.backlogBytes.counted("byte"))), "
            + "the oldest \(Duration.seconds(max(age, 0)).rough) old"
        guard age > DoctorOptions.lateAfter.components.seconds else {
            return Finding(.consumerBacklog, .ok, at: database, message: text, numbers: numbers)
        }
        return Finding(
            .consumerBacklog, .warning, at: database, message: text,
            advice: "check why its sink does not deliver; retention keeps its events even if the app no longer uses it",
            numbers: numbers)
    }

    private func delivery(_ consumer: ExaminedConsumer) -> [Finding] {
        let name = consumer.cursor.consumer
        let delivery = consumer.delivery
        var findings: [Finding] = []
        if let halt = delivery.halt {
            findings.append(
                Finding(
                    .consumerDelivery, .warning, at: database, message: "\(name) has stopped: \(halt)",
                    advice:
                        "correct the sink's settings: the app tries again by itself, at a start or flush() after an hour at the earliest"
                ))
        } else if delivery.failures > 0, let until = delivery.pausedUntil {
            let rest = until.duration(since: options.now)
            let when = rest > .zero ? "in \(rest.rough)" : "with the next delivery"
            findings.append(
                Finding(
                    .consumerDelivery, .note, at: database,
                    message: "\(name) has failed \(delivery.failures.counted("time")) in a row, and is retried \(when)",
                    advice: "no action needed; the app's diagnostics show the reason",
                    numbers: ["failures": Int64(delivery.failures)]))
        }
        if delivery.voided > 0 {
            let unanswered = delivery.unanswered
            let ids = unanswered.isEmpty ? "" : ": " + unanswered.suffix(3).joined(separator: ", ")
            findings.append(
                Finding(
                    .consumerDelivery, .note, at: database,
                    message:
                        "\(delivery.voided.grouped) \(delivery.voided == 1 ? "batch" : "batches") for \(name) voided, "
                        + "\(unanswered.count) of them delivered without a response\(ids)",
                    advice: unanswered.isEmpty
                        ? "no action needed: their events were delivered in other batches"
                        : "the server may have these events twice, under another batch id",
                    numbers: ["voided": Int64(delivery.voided), "unanswered": Int64(unanswered.count)]))
        }
        return findings
    }

    private func holder(_ consumer: ExaminedConsumer) -> [Finding] {
        guard let holder = consumer.holder, !livingRings.contains(holder) else { return [] }
        return [
            Finding(
                .consumerHolder, .note, at: database,
                message: "the process that delivered to \(consumer.cursor.consumer) has ended",
                advice: "no action needed: the next delivery takes over and resends the interrupted batch")
        ]
    }

    private func checkpoint(_ consumer: ExaminedConsumer) -> [Finding] {
        guard let series = SinkSeries.name(ofConsumer: consumer.cursor.consumer),
            let checkpoint = FileCheckpoint(consumer.cursor.checkpoint)
        else { return [] }
        let folder = FolderContent.folder(of: database)
        let files = FolderContent.paths(folder).compactMap { LineFile(path: $0) }
            .filter { $0.series == series && $0.isDelivered }
        // The sink writes to another folder.
        if files.isEmpty { return [] }
        let open = "\(folder)/\(series).jsonl"
        let length = FileFacts(open)?.size
        if length == checkpoint.bytes {
            return [
                Finding(
                    .consumerCheckpoint, .ok, at: open, message: "matches its checkpoint",
                    numbers: ["bytes": checkpoint.bytes])
            ]
        }
        // The process ended between renaming the file and acknowledging.
        if files.contains(where: { $0.position == checkpoint.firstSeq && FileFacts($0.path)?.size == checkpoint.bytes })
        {
            return [
                Finding(
                    .consumerCheckpoint, .note, at: open,
                    message: "its rotation was interrupted after the file was renamed",
                    advice: "no action needed: the next delivery continues")
            ]
        }
        let numbers = ["bytes": length ?? 0, "checkpoint": checkpoint.bytes]
        if let length, length > checkpoint.bytes {
            return [
                Finding(
                    .consumerCheckpoint, .note, at: open,
                    message: "\(length - checkpoint.bytes) bytes after its checkpoint: a delivery was interrupted",
                    advice: "no action needed: the next delivery removes them and writes them again", numbers: numbers)
            ]
        }
        return [
            Finding(
                .consumerCheckpoint, .error, at: open,
                message: length.map { "\(checkpoint.bytes - $0) bytes shorter than its checkpoint" } ?? "missing",
                advice: "check what truncated it; the next delivery rewrites what the log still has",
                numbers: numbers)
        ]
    }
}

/// Reports what a log dropped, by reason and consumer. The ledger is permanent, so these findings are notes, not
/// warnings.
enum LedgerCheck {
    static func findings(_ ledger: [ExaminedDrops], _ database: String) -> [Finding] {
        if ledger.isEmpty { return [Finding(.ledger, .ok, at: database, message: "no events were dropped")] }
        return ledger.map { drops in
            let reason = drops.reason
            let count = drops.count
            let to = drops.consumer.map { " for \($0)" } ?? ""
            return Finding(
                .ledger, .note, at: database, message: "\(count.counted("event")) dropped\(to): \(reason)",
                advice: advice(reason),
                numbers: ["count": count])
        }
    }

    private static func advice(_ reason: String) -> String? {
        switch DropReason(rawValue: reason) {
        case .encoding?, .outOfLimits?:
            "the app's diagnostics name the event and the property: correct the value, or the limit in the schema; "
                + "a TrackingRecorder detects this in a test"
        case .tooLarge?: "shorten the event's texts: a line has at most 32 KiB; the app's diagnostics name the event"
        case .invalidName?: "correct the event's name or schema version; the app's diagnostics name the event"
        case .unplanned?: "add the event's schema, or let the app allow unplanned events"
        case .runaway?: "find the loop that sends this many events per second"
        case .backlogFull?: "check why the log could not be written; usually the disk was full"
        case .closed?: "send no events after closing the log"
        case .notOpen?: "check why the log could not be opened earlier; see the environment's diagnostics"
        case .evicted?: "raise the hard cap of the retention, or check why a consumer is behind"
        case .refused?: "check the sink's dead letters and their reasons"
        case .damaged?: "check the folders that were moved aside, and the disk's health"
        case .forked?:
            "no action needed: a server had other events under these numbers, so they got new ones"
        case .retired?: "add the sink again if you still need it: it gets all events sent from then on"
        case .switchedOff?:
            "no action needed: remote switches turned these events off; the app's document names them"
        case .optedOut?: "no action needed: the user opted out"
        case .unanswered?: "no action needed: no person answered about consent while the events waited"
        case .erased?, .interrupted?, .repeatedID?: nil
        case nil: "counted by a newer version: use its trackctl"
        }
    }
}

/// Reports a log's dead letters: events that consumers have refused permanently.
enum DeadLetterCheck {
    static func findings(_ letters: ExaminedDeadLetters, _ database: String) -> [Finding] {
        guard letters.count > 0 || letters.evicted > 0 else { return [] }
        let evicted = letters.evicted > 0 ? "; \(letters.evicted.grouped) older ones were removed at the limit" : ""
        return [
            Finding(
                .deadLetters, .note, at: database,
                message:
                    "\(letters.count.counted("event")) permanently refused (\(letters.bytes.counted("byte")))\(evicted)",
                advice: "check why they were refused: the table dead_letters has the reasons and the exact lines",
                numbers: ["count": letters.count, "bytes": letters.bytes, "evicted": letters.evicted])
        ]
    }
}
