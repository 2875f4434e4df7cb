internal import Foundation
import GRDB

// Consent, and what an opt-out removes.
extension LogWorker {
    /// Stores what users have said, on the disk, and in the control file for all processes.
    ///
    /// A refusal is in the control file first, and stays there if the database cannot be written: no event is taken then,
    /// whatever happens next. An agreement is in the database first.
    ///
    /// - Throws: ``EventLogError``.
    func setConsent(_ consent: Consent, of userIDs: [String]) throws {
        // Under the control file's lock; without it, should another program keep that, the database's busy timeout has
        // passed by now, and a refusal counts all the same.
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
                // Should the process end now, the next one goes on with what is to be removed.
                if consent == .denied { try Discards.mark(userID, through: end, db) }
            }
        }
        try exclusively { db in
            mirror(consent, of: userIDs)
            // A process that took this one for dead has adopted the answer before.
            for userID in userIDs { try Consents.removeReference(to: userID, db) }
        }
        guard consent == .denied else { return }
        for userID in userIDs { try discardUndelivered(of: userID) }
    }

    /// Stores that a user has not said anything yet, unless the user has. As long as that cannot be stored, it is tried
    /// again whenever the log is asked for something, and the user's events are not delivered here.
    func requireConsent(of userID: String) {
        newUsers.insert(userID)
        try? storeNewUsers()  // the next move reports what is in the way
    }

    func storeNewUsers() throws {
        for userID in newUsers {
            switch control.consents.consent(of: userID) {
            case .granted, .denied: break
            case .unknown, nil:  // a full or damaged copy says so, too, of whom the database knows nothing
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

    /// Which events may be delivered: those of users who have agreed, and of those about whom nothing is stored.
    func deliveryRules(_ db: Database) throws -> Delivery.Rules {
        let generation = control.consents.generation.load()
        var blocked = Set(try Consents.all(db).filter { $0.value != .granted }.keys)
        // The control file knows first of a refusal.
        for (key, consent) in control.consents.consents() where consent != .granted { blocked.insert(key) }
        blocked.formUnion(newUsers.map(ConsentMirror.key))
        guard !blocked.isEmpty else { return Delivery.Rules(mayDeliver: nil, generation: generation) }
        // A key costs a SHA-256, and most events of a batch have the same user.
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

    /// Removes a user's events that not every consumer has had, those in the journals included, and then their bytes from
    /// all files of the log.
    func discardUndelivered(of userID: String) throws {
        // Before anything is moved: what was sent before the call has a number up to this.
        let end = control.drawn
        try freeing { db, _ in
            if try EventRow.lastSeq(db) < end { try Discards.mark(userID, through: end, db) }
        }
        try removeStored(of: userID)
        (hasTraces, isVacuumed, lastErasure) = (true, false, nil)
        // On a full disk the mark waits for the next move.
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

    /// Goes on with what a process that has ended was removing.
    private func finishDiscards() throws {
        let marks = try exclusively { db in
            try Row.fetchAll(db, sql: "SELECT user_id, through_seq FROM discards").map { row in
                (try row.decode(String.self, atIndex: 0), try row.decode(Int64.self, atIndex: 1))
            }
        }
        for (userID, end) in marks { try removeStored(of: userID, through: end) }
        hasUnfinishedDiscards = false
    }

    /// Removes the bytes of events that were discarded from the database's free space, its write-ahead log, this writer's
    /// journals and the quarantine. Readers or a full disk may stand in the way; then it is tried again, once a second,
    /// when events are moved. Other processes overwrite their journals when they move next.
    ///
    /// - Throws: ``EventLogError``, if the log itself can't be worked on.
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
                // SQLite leaves copies of rows behind when it balances pages; only a file that is written anew has none.
                if !isVacuumed { try VacuumMode.rewrite(db) }
                isVacuumed = true
                guard try isWriteAheadLogEmpty(after: db) else { return }
                try db.inTransaction(.immediate) {
                    try Discards.settle(db)
                    return .commit
                }
                (hasTraces, isVacuumed, lastErasure) = (false, false, nil)
            } catch let error as DatabaseError where !LogOpening.isDamage(error) {
                return  // the marks are still there
            }
        }
    }

    private func isWriteAheadLogEmpty(after db: Database) throws -> Bool {
        checkpoint(db, .truncate)  // a reader may stand in the way
        var status = stat()
        return stat(path + "-wal", &status) != 0 || status.st_size == 0
    }
}
