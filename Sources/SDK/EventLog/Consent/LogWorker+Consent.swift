internal import Foundation
import GRDB

// Consent, and the removals after an opt-out.
extension LogWorker {
    /// Stores a change of consent on the disk, and removes the events of people who have opted out.
    ///
    /// The change is already in the control file, and stays there if the database cannot be written.
    ///
    /// - Throws: ``EventLogError``.
    func storeConsent(_ change: NumberedConsentChange) throws {
        // The control file may have been replaced.
        consents.put(change.records)
        let end = control.drawn
        let (records, removals) = try freeing(isSynced: true) { db, _ in try store(change, through: end, db) }
        consents.put(records)
        consents.wasStored(change)
        for (person, reason) in removals { try discardUndelivered(of: person, because: reason, through: end) }
    }

    private func store(
        _ change: NumberedConsentChange, through end: Int64, _ db: Database
    ) throws -> (records: [String: ConsentRecord], removals: [(String, DropReason)]) {
        let mirrored = consents.mirror.records()
        func record(of person: String) throws -> ConsentRecord? {
            ConsentRecord.newer(try Consents.record(of: person, db), mirrored[ConsentMirror.key(of: person)])
        }
        var records = change.records
        if !records.values.allSatisfy(\.isReadable) {
            records = try change.change.records(number: change.number, record(of:))
        }
        if let (anonymous, user) = change.change.linked {
            try Consents.link(anonymous, to: user, number: change.number, db)
        }
        for (user, record) in records {
            for person in try Consents.anonymous(of: user, db) { records[person] = record }
        }
        var removals: [(String, DropReason)] = []
        for (person, record) in records { try Consents.set(record, of: person, db) }
        // A new person has no events.
        for person in records.keys where person != change.change.newPerson {
            let newest = try record(of: ConsentRule.everyone) ?? record(of: person)
            if let reason = newest?.removalReason { removals.append((person, reason)) }
        }
        // If the process ends now, the next process continues the removal.
        for (person, reason) in removals { try Discards.mark(person, because: reason, through: end, db) }
        if let answer = change.change.answer { try Answers.add(answer, number: change.number, db) }
        return (records, removals)
    }

    /// Returns the identity, or sets one.
    func adoptIdentity(atLeast number: Int64, _ make: () -> LogIdentity) throws -> LogIdentity {
        try exclusively(isUrgent: true) { _ in
            let identities = control.identities
            if let present = identities.newest, present.number >= number { return present }
            var made = make()
            if made.number > identities.newest?.number ?? 0 {
                identities.put(made)
            } else {
                made = identities.set(made, atLeast: number)
            }
            consents.keepIdentity()
            control.consents.change()
            return made
        }
    }

    /// The rules that decide which events may be delivered. A change that is not stored yet is in effect.
    func deliveryRules(_ db: Database) throws -> Delivery.Rules {
        let generation = control.consents.generation.load()
        let rules = try ConsentRules(db, and: consents.records())
        return Delivery.Rules(
            mayDeliver: rules.holds(\.mayDeliver) ? nil : { rules.rule(of: $0).mayDeliver }, generation: generation)
    }

    /// Removes a person's events that at least one consumer has not received, including those in the journals. Then
    /// removes their bytes from all files of the log.
    ///
    /// - Parameter last: The last number that may be removed; nil for all events that were sent before the call. Later events
    ///   may have been sent after an agreement.
    func discardUndelivered(
        of person: String, because reason: DropReason = .optedOut, through last: Int64? = nil
    ) throws {
        // Read before events are moved: all events sent before the call have numbers up to this.
        let end = last ?? control.drawn
        try freeing { db, _ in
            if try EventRow.lastSeq(db) < end {
                try Discards.mark(person, because: reason, through: end, db)
            }
        }
        try removeStored(of: person, because: reason, through: end)
        hasTraces = true
        isVacuumed = false
        lastErasure = nil
        // On a full disk the marker stays for the next move.
        do { try moveAll(upTo: end, within: .seconds(1)) } catch let error as EventLogError
            where error.code == .diskFull
        {}
        try eraseTraces()
    }

    private func removeStored(of person: String, because reason: DropReason, through end: Int64) throws {
        var last: Int64? = 0
        while let start = last {
            last = try freeing { db, isFull in
                try Discards.removeStored(
                    of: person, because: reason, after: start, through: end,
                    limit: isFull ? Int(Pruning.smallStep) : 1000, db)
            }
        }
    }

    /// Continues the removals that another process did not finish.
    private func finishDiscards() throws {
        for mark in try exclusively(Discards.all) {
            try removeStored(of: mark.person, because: mark.reason, through: mark.through)
        }
        hasUnfinishedDiscards = false
    }

    /// Removes the bytes of discarded events from the database's free pages, its write-ahead log, this writer's
    /// journals and the quarantine. Readers or a full disk can prevent that; the mover then retries once a second.
    /// Other processes overwrite their journals when they next move events.
    ///
    /// - Throws: ``EventLogError`` if the log cannot be used.
    func eraseTraces() throws {
        guard hasTraces else { return }
        if let last = lastErasure, last.duration(to: .now) < .seconds(1) { return }
        if hasUnfinishedDiscards { try finishDiscards() }
        try exclusively { db in
            guard try Discards.areDue(db) else {
                hasTraces = try Int.fetchOne(db, sql: "SELECT count(*) FROM discards") != 0
                return
            }
            lastErasure = .now
            writer.wipe()
            Quarantine.removeContents(of: path)
            do {
                // SQLite leaves copies of rows behind when it balances pages; only VACUUM removes all copies.
                if !isVacuumed { try VacuumMode.rewrite(db) }
                isVacuumed = true
                guard try isWriteAheadLogEmpty(after: db) else { return }
                try db.inTransaction(.immediate) {
                    try Discards.settle(db)
                    return .commit
                }
                hasTraces = false
                isVacuumed = false
                lastErasure = nil
            } catch let error as DatabaseError where !LogOpening.isDamage(error) {
                return  // The markers are still there.
            }
        }
    }

    private func isWriteAheadLogEmpty(after db: Database) throws -> Bool {
        checkpoint(db, .truncate)  // A reader can prevent this checkpoint.
        var status = stat()
        return stat(path + "-wal", &status) != 0 || status.st_size == 0
    }
}
