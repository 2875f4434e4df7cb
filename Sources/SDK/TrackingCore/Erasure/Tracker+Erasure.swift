internal import EventLog
internal import Primitives

extension Tracker {
    /// Deletes a user's events of this install: from all files of the log, in every process that uses it, and from each
    /// sink that can delete them. Includes events of all purposes, and those of the anonymous person who turned out to be
    /// this user. If the user is the present one, this is a ``reset()`` first.
    ///
    /// When the method returns, no file of the log has a byte of the events that were sent before the call. The user's
    /// answer to the question of consent stays, without the id. Sinks that could not be asked, or could not delete the events
    /// now, are asked again by the next flush, also after a restart; until all have answered, one file next to the log has
    /// the id. Events on the user's other devices stay: an administrator of the collector can erase all events of a user.
    ///
    /// Where nothing is stored before the answer, events that wait in memory are dropped, and a log is opened only if there is
    /// one. Otherwise waits for the log like ``opened()``. Reads all events and rewrites the database; senders are
    /// not delayed.
    ///
    /// - Parameter user: The id that was passed to ``identify(_:)``, or the id of a device for an anonymous person.
    /// - Returns: The outcome for each sink. Empty if there are no sinks, or `user` is not a valid id, which no event has.
    /// - Throws: ``/EventLog/EventLogError``, for example if another program reads the database or the disk is full; the
    ///   error of the storage or of ``opened()``. Call the method again; otherwise the next flush continues.
    @discardableResult
    public func erase(user: String) async throws -> ErasureResult {
        guard Self.mayHaveEvents(user: user) else { return ErasureResult(sinks: [:]) }
        return try await pipeline.erase(user, tape)
    }
}

extension UserTracker {
    /// Deletes the user's events of this install; see ``Tracker/erase(user:)``.
    ///
    /// - Throws: As ``Tracker/erase(user:)``.
    @discardableResult
    public func erase() async throws -> ErasureResult {
        try await tracker.creator.pipeline.erase(user.id, tracker.tape)
    }
}

extension TrackingPipeline {
    fileprivate func erase(_ user: String, _ tape: EnvironmentTape?) async throws -> ErasureResult {
        do { try await sender.opened() } catch let error as EventLogError where error.code == .consentUnknown {
            guard sender.openForErasure() else {
                // No file has an event.
                _ = forget(user, tape)
                return ErasureResult(sinks: [:])
            }
            try await sender.opened()
        }
        let device = forget(user, tape)
        sender.forgetEndedSession(of: [user, device])
        // The storage has the user's id, too.
        try await sender.storeAll()
        let (result, request) = try await flusher.erase(
            user, device: device, from: sender.log.current)
        try tape?.erase(LineErasure(of: request.userIDs, isRecording: true))
        return result
    }

    /// Signs the user out, and drops what waits in memory.
    ///
    /// - Returns: The device's former id, if the user was the present one and had an id.
    private func forget(_ user: String, _ tape: EnvironmentTape?) -> String? {
        let former = sender.identity
        guard former.person == user else {
            sender.drop(waitingOf: [user])
            return nil
        }
        TrackingInput.reset.record(on: tape) { sender.perform(.reset) }
        sender.drop(waitingOf: [user, former.deviceID])
        return former.drawnDeviceID
    }
}

extension EventFlusher {
    /// Erases a user's events from the log, and asks each sink to delete them.
    func erase(_ user: String, device: String?) async throws -> (ErasureResult, ErasureRequest) {
        let request = try await log.erase(user, device: device, for: runners.map(\.sink.name))
        let outcomes = try await withThrowingTaskGroup(of: (String, ErasureResult.Outcome).self) { group in
            for runner in runners {
                group.addTask { (runner.sink.name, try await runner.erase(request.id)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        return (ErasureResult(sinks: outcomes), request)
    }

    /// Asks the sinks again that have not answered before the process ended.
    func resumeErasures() {
        Task {
            for runner in runners {
                do {
                    if try await !log.erasures(for: runner.sink.name).isEmpty { runner.ask(through: 0) }
                } catch { diagnostics(.log(error)) }
            }
        }
    }
}

extension SinkRunner {
    /// Asks the sink for all erasures that it has not answered, after the current delivery.
    func erase(_ id: String) async throws -> ErasureResult.Outcome {
        await run(through: 0, isManual: true)
        let (outcome, reason) = state.withLock { ($0.erasures.removeValue(forKey: id), $0.delay) }
        if let outcome { return outcome }
        // Another flush may have asked it.
        let isPending = try await parts.log.erasures(for: sink.name).contains { $0.id == id }
        return isPending ? .pending(reason: reason ?? "it is paused") : .done
    }

    /// Asks the sink to delete the events of all users whose erasures it has not answered.
    ///
    /// - Returns: The checkpoint of its last delivery, which the sink may have replaced; and whether the sink has returned.
    func erase(under lease: DeliveryLease) async throws -> (checkpoint: String?, hasReturned: Bool) {
        var checkpoint = lease.cursor.checkpoint
        for pending in try await parts.log.erasures(for: sink.name) {
            let request = pending.under(lease, checkpoint: checkpoint)
            let answer = try await withDeadline { [sink] in await sink.erase(request) }
            let outcome: ErasureResult.Outcome
            switch answer {
            case .done(let renewed)?:
                checkpoint = renewed
                outcome = .done
            case .unsupported?: outcome = .unsupported
            case .pending(let wait, let reason)?:
                outcome = .pending(reason: reason)
                wake(
                    after: wait ?? BackOff.wait(failures: lease.failures, jitter: parts.jitter), delivers: false)
            case nil: outcome = .pending(reason: "no response within \(parts.deadline)")
            }
            state.withLock { $0.erasures[request.id] = outcome }
            if case .pending(let reason) = outcome {
                delay("cannot delete a user's events yet: \(reason)")
            } else {
                try await parts.log.settle(lease, erasure: request.id, checkpoint: checkpoint)
            }
            if answer == nil { return (checkpoint, false) }
        }
        return (checkpoint, true)
    }
}
