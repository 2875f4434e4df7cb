internal import Foundation
import GRDB

// Consent, and the removals after an opt-out.
extension LogWorker {
    /// Stores users' consent on the disk, and in the control file for all processes.
    ///
    /// A denial is written to the control file first, and stays there if the database cannot be written: the users'
    /// events are dropped from then on. A grant is written to the database first.
    ///
    /// - Throws: ``EventLogError``.
    func setConsent(_ consent: Consent, of userIDs: [String]) throws {
        // With the control file's lock. If another program holds that lock for longer than the busy timeout, the denial
        // is written without it.
        if consent != .granted {
            do { try exclusively { _ in mirror(consent, of: userIDs) } } catch {
                mirror(consent, of: userIDs)
                throw error
            }
        }
        let end = control.drawn
        try freeing(isSynced: true) { db, _ in
            for userID in userIDs {
                try Consents.set(consent, of: userID, db)
                // If the process ends now, the next process continues the removal.
                if consent == .denied { try Discards.mark(userID, through: end, db) }
            }
        }
        try exclusively { db in
            mirror(consent, of: userIDs)
            // A process that considered this writer dead may have adopted the answer already.
            for userID in userIDs { try Consents.removeReference(to: userID, db) }
        }
        guard consent == .denied else { return }
        for userID in userIDs { try discardUndelivered(of: userID) }
    }

    /// Stores that a user's consent is unknown, unless an answer is already stored. If this fails, each later operation
    /// retries it, and the user's events are not delivered here until it succeeds.
    func requireConsent(of userID: String) {
        newUsers.insert(userID)
        try? storeNewUsers()  // The next move reports the error.
    }

    func storeNewUsers() throws {
        for userID in newUsers {
            switch control.consents.consent(of: userID) {
            case .granted, .denied: break
            case .unknown, nil:  // A full or damaged mirror returns this, too, for users who are not in the database.
                let stored = try freeing { db, _ in
                    try Consents.require(userID, db)
                    return try Consents.consent(of: userID, db)
                }
                if let stored { try exclusively { _ in mirror(stored, of: [userID]) } }
            }
            newUsers.remove(userID)
        }
    }

    private func mirror(_ consent: Consent, of userIDs: [String]) {
        for userID in userIDs { control.consents.set(consent, of: userID) }
    }

    /// The rules that decide which events may be delivered: those of users who have agreed, and of users without a
    /// stored consent.
    func deliveryRules(_ db: Database) throws -> Delivery.Rules {
        let generation = control.consents.generation.load()
        var blocked = Set(try Consents.all(db).filter { $0.value != .granted }.keys)
        // A denial reaches the control file first.
        for (key, consent) in control.consents.consents() where consent != .granted { blocked.insert(key) }
        blocked.formUnion(newUsers.map(ConsentMirror.key))
        guard !blocked.isEmpty else { return Delivery.Rules(mayDeliver: nil, generation: generation) }
        // Computing a key needs a SHA-256, and most events of a batch have the same user.
        var last: (user: String, mayDeliver: Bool)?
        return Delivery.Rules(
            mayDeliver: { line in
                guard let user = Discards.user(of: line) else { return true }
                if let last, last.user == user { return last.mayDeliver }
                let mayDeliver = !blocked.contains(ConsentMirror.key(of: user))
                last = (user, mayDeliver)
                return mayDeliver
            }, generation: generation)
    }

    /// Removes a user's events that at least one consumer has not received, including those in the journals. Then
    /// removes their bytes from all files of the log.
    func discardUndelivered(of userID: String) throws {
        // Read before events are moved: all events sent before the call have numbers up to this.
        let end = control.drawn
        try freeing { db, _ in
            if try EventRow.lastSeq(db) < end { try Discards.mark(userID, through: end, db) }
        }
        try removeStored(of: userID)
        hasTraces = true
        isVacuumed = false
        lastErasure = nil
        // On a full disk the marker stays for the next move.
        do { try moveAll(upTo: end, within: .seconds(1)) } catch let error as EventLogError
            where error.code == .diskFull
        {}
        try eraseTraces()
    }

    private func removeStored(of userID: String, through end: Int64 = .max) throws {
        var last: Int64? = 0
        while let start = last {
            last = try freeing { db, isFull in
                try Discards.removeStored(
                    of: userID, after: start, through: end, limit: isFull ? Int(Pruning.smallStep) : 1000, db)
            }
        }
    }

    /// Continues the removals that another process did not finish.
    private func finishDiscards() throws {
        let marks = try exclusively { db in
            try Row.fetchAll(db, sql: "SELECT user_id, through_seq FROM discards").map { row in
                (try row.decode(String.self, atIndex: 0), try row.decode(Int64.self, atIndex: 1))
            }
        }
        for (userID, end) in marks { try removeStored(of: userID, through: end) }
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
