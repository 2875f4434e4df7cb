internal import EventModel

extension SealedBatch {
    /// Ends the batch at an earlier event if it has more than ``EventBatch/maximumMissing`` ranges without events.
    ///
    /// The ranges before its first event are in every batch with this event. If they are too many, the last ones become
    /// one range of held numbers: any other reason replaces *held* when its ledger row arrives.
    ///
    /// - Parameter records: The batch's events; on return, those that it keeps.
    mutating func shorten(_ records: inout [EventRecord]) {
        let most = EventBatch.maximumMissing
        guard missing.count > most, let start = records.first?.seq else { return }
        let leading = missing.prefix { $0.first < start }.count
        if leading > most {
            let rest = MissingNumbers(missing[most - 1].first...start - 1, .held)
            missing.replaceSubrange(most - 1..<leading, with: [rest])
        }
        if missing.count > most {
            let end = missing[most].first
            records = Array(records.prefix { $0.seq < end })
            last = records.last?.seq ?? last
            missing.removeAll { $0.first > last }
        }
        count = records.count
        checksum = Self.checksum(of: records)
    }
}
