internal import Foundation
import GRDB

// Erasing a user's events.
extension LogWorker {
    private var erasures: ErasureFile { ErasureFile(of: path, options.system) }

    /// Erases a user's events up to the newest one from all files of the log, also delivered ones.
    ///
    /// A kill at any point leaves either nothing changed, or a file by which ``erasures(for:)`` continues.
    ///
    /// - Throws: ``EventLogError``. Call it again.
    func erase(_ user: String, device: String?, for sinks: [String]) throws -> ErasureRequest {
        let key = ConsentMirror.key(of: user)
        let device = device.flatMap { consents.keys(of: ConsentMirror.key(of: $0)).contains(key) ? $0 : nil }
        let erasure = try exclusively { db in
            let pending = try erasures.read()
            let erasure = try PendingErasure(
                of: user, device: device, through: control.drawn, for: sinks,
                replacing: pending.filter { $0.user == user }, db)
            try erasures.write(pending.filter { $0.user != user } + [erasure])
            return erasure
        }
        return try complete(erasure)
    }

    /// The erasures that a sink has not answered. Completes those that another process has begun.
    func erasures(for sink: String) throws -> [ErasureRequest] {
        guard erasures.exists else { return [] }
        let pending = try exclusively { _ in try erasures.read() }
        return try pending.compactMap { erasure in
            let request = try erasure.isErased ? reading(erasure.request) : complete(erasure)
            return erasure.sinks.contains(sink) ? request : nil
        }
    }

    /// A sink has deleted the events.
    ///
    /// - Parameter checkpoint: Replaces the checkpoint of the sink's last delivery.
    func settle(_ lease: DeliveryLease, erasure id: String, checkpoint: String?) throws {
        let isCurrent = try freeing(isSynced: true) { db, _ in
            try Consumers.replaceCheckpoint(by: checkpoint, under: lease, db)
        }
        guard isCurrent else { return }
        try exclusively { _ in
            var pending = try erasures.read()
            guard let index = pending.firstIndex(where: { $0.id == id }) else { return }
            pending[index].sinks.removeAll { $0 == lease.consumer }
            try erasures.write(pending.filter { !$0.isErased || !$0.sinks.isEmpty })
        }
    }

    private func complete(_ erasure: PendingErasure) throws -> ErasureRequest {
        let removal = erasure.removal
        // If the process ends now, the next process continues the removal.
        try freeing(isSynced: true) { db, _ in try Discards.mark(removal, db) }
        noteTraces()
        try moveAll(upTo: erasure.end)
        var people: Set<String> = []
        try removeStored([removal]) { line in if let user = Discards.user(of: line) { people.insert(user) } }
        control.identities.forgetFormer()
        try replaceOthersRings()
        try eraseAllTraces()
        return try exclusively { db in
            var pending = try erasures.read()
            var erasure = erasure
            if let index = pending.firstIndex(where: { $0.id == erasure.id }) {
                try pending[index].wasErased(people: people, db)
                erasure = pending[index]
                try erasures.write(pending.filter { !$0.isErased || !$0.sinks.isEmpty })
            }
            return try erasure.request(db)
        }
    }

    /// Moves all events from the journals of other writers, and removes those journals with their former events. A living
    /// writer, also a stopped one, finds its journal sealed before its next event, and continues in a new one.
    private func replaceOthersRings() throws {
        try exclusively { _ in
            for ring in folder.rings.values where !folder.isOwn(ring) {
                _ = ring.seize(counter: control.counter, isForced: true)
            }
        }
        try repeating("another process is sending events") {
            try moveAll()
            return try exclusively { _ in
                removeEndedRings()
                return !folder.rings.values.contains { $0.drawnWhenSeized != nil }
            }
        }
    }

    private func eraseAllTraces() throws {
        var isRewritten = false
        try repeating("another program is reading the database") {
            try moveAll()
            // SQLite has left copies of rows behind when it moved rows between pages.
            if !isRewritten { isRewritten = try exclusively(rewrite) }
            guard isRewritten else { return false }
            lastErasure = nil
            try eraseTraces(isForced: true)
            return !hasTraces
        }
    }

    /// - Returns: Whether no reader has prevented it.
    private func rewrite(_ db: Database) throws -> Bool {
        do { try VacuumMode.rewrite(db) } catch let error as DatabaseError where !LogOpening.isDamage(error) {
            return false
        }
        return true
    }

    /// Calls `body` until it returns true, for the busy timeout.
    private func repeating(_ reason: String, _ body: () throws -> Bool) throws {
        let deadline = ContinuousClock.now.advanced(by: options.busyTimeout)
        while try !body() {
            guard ContinuousClock.now < deadline else {
                throw EventLogError(
                    .inUse, "cannot erase all bytes of the user's events from \(path): \(reason); try again")
            }
            usleep(1000)
        }
    }
}

extension SQLiteEventStore {
    public func erase(_ user: String, device: String?, for sinks: [String]) async throws -> ErasureRequest {
        try await onQueue { worker in try worker.erase(user, device: device, for: sinks) }
    }

    public func erasures(for sink: String) async throws -> [ErasureRequest] {
        try await onQueue { worker in try worker.erasures(for: sink) }
    }

    public func settle(_ lease: DeliveryLease, erasure id: String, checkpoint: String?) async throws {
        try await onQueue { worker in try worker.settle(lease, erasure: id, checkpoint: checkpoint) }
    }
}
