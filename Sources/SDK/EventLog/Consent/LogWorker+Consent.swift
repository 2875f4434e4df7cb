internal import Foundation
import GRDB

// Consent, and the removals after an opt-out.
extension LogWorker {
    /// Stores changes of consent in one transaction, with the markers of the events to remove. The next sync brings them to
    /// the disk; the next pass of ``eraseTraces(isForced:)`` removes the events.
    ///
    /// The changes are already in the control file, and stay there if the database cannot be written.
    ///
    /// - Returns: Whether events are to be removed.
    /// - Throws: ``EventLogError``.
    func storeConsents(_ changes: [NumberedConsentChange]) throws -> Bool {
        // The control file may have been replaced.
        for change in changes { consents.put(change.records) }
        let end = control.drawn
        let stored = try freeing { db, _ in
            try changes.map { try store($0, through: end, db) }
        }
        for (records, _) in stored { consents.put(records, areStored: true) }
        let removals = stored.flatMap(\.removals)
        guard !removals.isEmpty else { return false }
        waitingRemovals += removals
        noteTraces()
        return true
    }

    /// Whether a pass has events to remove.
    var hasRemovals: Bool { !waitingRemovals.isEmpty || hasUnfinishedDiscards }

    private func store(
        _ change: NumberedConsentChange, through end: Int64, _ db: Database
    ) throws -> (records: [ConsentSubject: ConsentRecord], removals: [Discards.Removal]) {
        func record(of subject: ConsentSubject) throws -> ConsentRecord? {
            let key = subject.key
            return ConsentRecord.newer(try Consents.record(at: key, db), consents.known(at: key))
        }
        let known = consents.purposes
        try consents.addPurposes(LogPurposes.add(known + change.change.purposes, db))
        let purposes = consents.purposes
        var records = change.records
        if let (anonymous, user) = change.change.linked {
            try Consents.link(
                ConsentMirror.key(of: anonymous), to: ConsentMirror.key(of: user), number: change.number, db)
        }
        // Another process, which did not know of the sign-in, may have stored an answer of the user, or one for a purpose that
        // this process did not know.
        let isOutdated = change.change.linked != nil || change.change.answer == nil && purposes != known
        if isOutdated || !records.values.allSatisfy(\.isReadable) {
            let decided = try change.change.records(number: change.number, purposes: purposes, record(of:))
            // The change's own denial removes events, if it was overtaken by an agreement, too.
            records = records.filter { $1.isReadable }.merging(decided) { own, decided in
                own.removalReason == nil ? ConsentRecord.newer(own, decided) ?? decided : own
            }
        }
        for (subject, record) in records { try Consents.set(record, at: subject.key, db) }
        let removals = try change.removals(records, through: end, purposes: purposes, record(of:))
        // If the process ends now, the next process continues the removal.
        for removal in removals { try Discards.mark(removal, db) }
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
    func deliveryRules() -> Delivery.Rules {
        let generation = control.consents.generation.load()
        return Delivery.Rules(ConsentRules(consents), generation: generation)
    }

    /// Removes people's events that at least one consumer has not received, including those in the journals. Then
    /// removes their bytes from all files of the log.
    private func discardUndelivered(_ waiting: [Discards.Removal]) throws {
        let removals = try waiting + (hasUnfinishedDiscards ? exclusively(Discards.all) : [])
        // If this fails, the next pass continues by the markers.
        hasUnfinishedDiscards = true
        try removeStored(removals)
        noteTraces()
        // On a full disk the marker stays for the next move.
        do { try moveAll(upTo: removals.map(\.end).max() ?? 0, within: .seconds(1)) } catch let error as EventLogError
            where error.code == .diskFull
        {}
        hasUnfinishedDiscards = false
        try eraseBytes()
    }

    /// Bytes of removed events are still in the files.
    func noteTraces() {
        hasTraces = true
        lastErasure = nil
    }

    /// - Parameter note: Called with each removed line.
    func removeStored(
        _ removals: [Discards.Removal], noting note: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws {
        let rules = ConsentRules(consents)
        var last: Int64? = 0
        while let start = last {
            last = try freeing { db, isFull in
                try Discards.removeStored(
                    removals, rules: rules, after: start, limit: isFull ? Int(Pruning.smallStep) : 1000, db,
                    noting: note)
            }
        }
        removed += removals
    }

    /// Removes the events of the removals that wait, and of those that another process did not finish, in one pass over the
    /// undelivered events; then their bytes. Each removal has its marker in the database: if the process ends, the next
    /// process continues it.
    ///
    /// - Parameter isForced: Whether a pass also begins during the pause after the last one.
    /// - Throws: ``EventLogError`` if the log cannot be used.
    func eraseTraces(isForced: Bool = false) throws {
        guard hasTraces else { return }
        guard hasRemovals else { return try eraseBytes() }
        guard isForced || removing.rest == .zero else { return }
        let removals = waitingRemovals
        waitingRemovals = []
        try removing.run { try discardUndelivered(removals) }
    }

    /// Removes the bytes of discarded events from the write-ahead log, this writer's journals and the quarantine; the
    /// database's pages are overwritten with the removal. Readers or a full disk can prevent that; the mover then retries
    /// once a second. Other processes overwrite their journals when they next move events.
    private func eraseBytes() throws {
        if let last = lastErasure, last.duration(to: .now) < .seconds(1) { return }
        try exclusively { db in
            guard !removed.isEmpty else {
                // Another process may have ended before it finished these.
                hasTraces = try Int.fetchOne(db, sql: "SELECT count(*) FROM discards") != 0
                hasUnfinishedDiscards = hasTraces
                return
            }
            guard try Discards.areDue(removed, db) else { return }
            lastErasure = .now
            writer.wipe()
            Quarantine.removeContents(of: path)
            do {
                guard try isWriteAheadLogEmpty(after: db) else { return }
                try db.inTransaction(.immediate) {
                    try Discards.settle(removed, db)
                    return .commit
                }
                removed = []
                hasTraces = false
                rewrites.isWanted = true
                lastErasure = nil
            } catch let error as DatabaseError where !LogOpening.isDamage(error) {
                return  // The markers are still there.
            }
        }
    }

    /// Rewrites the database after a removal, at most once a day: SQLite leaves copies of rows behind when it moves rows
    /// between pages, and only `VACUUM` removes those that were made before the rows were overwritten.
    ///
    /// - Parameter isIdle: Whether the log is idle, or is being closed. Otherwise it is rewritten only if it was not idle
    ///   for a day.
    func rewriteIfDue(isIdle: Bool) {
        guard rewrites.isDue(isIdle: isIdle) else { return }
        // Retried a day later; until then, the copies stay.
        rewrites.begin()
        _ = try? exclusively { db in
            try VacuumMode.rewrite(db)
            checkpoint(db, .truncate)
        }
    }

    private func isWriteAheadLogEmpty(after db: Database) throws -> Bool {
        checkpoint(db, .truncate)  // A reader can prevent this checkpoint.
        var status = stat()
        return stat(path + "-wal", &status) != 0 || status.st_size == 0
    }
}
