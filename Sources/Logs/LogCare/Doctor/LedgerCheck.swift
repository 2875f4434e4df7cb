internal import EventLog
internal import EventModel
internal import TextRendering

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
        case .runaway?: "find the loop that sends so many events a second"
        case .backlogFull?: "find out why the log could not be written; a full disk, most often"
        case .closed?: "send nothing after the log was closed"
        case .evicted?: "raise the hard cap of the retention, or see why a consumer is behind"
        case .refused?: "look at the sink's dead letters and what it says of them"
        case .damaged?: "see the folders that were put aside, and the disk's health"
        case .optedOut?, .erased?, .interrupted?, .repeatedID?: nil
        case nil: "a newer version counts by this reason: use its trackctl"
        }
    }
}
