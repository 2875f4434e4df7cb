package import EventLog
internal import Flux
internal import Primitives

extension Tracker {
    /// Makes a tracker, and opens its log in the background. Neither accesses files nor reads the storage on the
    /// caller's thread.
    ///
    /// - Parameters:
    ///   - opening: Opens the log and makes the sinks. Called again if it throws.
    ///   - switches: Makes the updater of the remote switches once the log is open; nil without them.
    package static func open(
        _ opening: @escaping @Sendable () async throws -> (log: any EventStore, sinks: [any Sink]),
        storage: any KeyValueStorage, clock: any TrackingClock, timer: any Clock<Duration>, ids: any TrackingIDs,
        flushPolicy: FlushPolicy, sendingLimit: SendingLimit?, unplanned: UnplannedEvents, session: SessionStart,
        consent: ConsentPolicy,
        context: TrackingContext?, backgroundTime: any BackgroundTime, switches: SwitchesSetup? = nil,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) -> Tracker {
        open(
            opening, DeferredStorage(storage, isReadLater: true), clock: clock, timer: timer, ids: ids,
            flushPolicy: flushPolicy, sendingLimit: sendingLimit, unplanned: unplanned, session: session,
            consent: consent,
            context: context, backgroundTime: backgroundTime, switches: switches, diagnostics: diagnostics)
    }

    /// Makes a tracker, and opens its log in the background like `TrackingEnvironment.live(opening:)`. The sinks are
    /// made together with the log, and the storage may be read later, too.
    static func open(
        _ opening: @escaping @Sendable () async throws -> (log: any EventStore, sinks: [any Sink]),
        _ storage: DeferredStorage, clock: any TrackingClock, timer: any Clock<Duration>, ids: any TrackingIDs,
        flushPolicy: FlushPolicy, sendingLimit: SendingLimit?, unplanned: UnplannedEvents, session: SessionStart,
        consent: ConsentPolicy,
        context: TrackingContext?, backgroundTime: any BackgroundTime, switches: SwitchesSetup? = nil,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) -> Tracker {
        let time = OpeningTime(backgroundTime)
        let pending = PendingEventStore(storage: storage, backgroundTime: backgroundTime)
        let held = HeldEvents()
        let flusher = EnvironmentFlusher(after: held)
        let tracker: Tracker
        do {
            tracker = try Tracker(
                RecordedDependencies(log: pending, storage: storage, clock: clock, ids: ids, tape: nil),
                containers: FluxDispatcher(), flusher: flusher, held: held, sendingLimit: sendingLimit,
                unplanned: unplanned,
                session: session, consent: consent, context: context, diagnostics: diagnostics)
        } catch {
            preconditionFailure("internal error; please report it: \(error)")  // all values were read before
        }
        Task {
            defer { time.end() }
            let waits = OpeningWaits(pending: pending, held: held)
            var hasEndedWaits = false
            let identity = await storage.awaitReading(timer) { error, isFirst in
                let endsWaits = waits.attemptFailed(error)
                // Also report the first error that ends waits: without a report, methods would return without a reason.
                if isFirst || endsWaits && !hasEndedWaits { diagnostics(.storage(error)) }
                guard endsWaits else { return }
                hasEndedWaits = true
                time.end()
            }
            if let identity {
                waits.storageWasRead()
                tracker.adopt(identity, storage, pending)
            }
            let (log, sinks) = await Retry(timer).value(opening) { error, isFirst in
                if isFirst { diagnostics(.log(error)) }
                do { try pending.keepDrops() } catch { diagnostics(.storage(error)) }
                waits.attemptFailed(error)
                // The attempts may take long, and the waiting changes are in memory only.
                time.end()
            }
            do { try pending.open(log) } catch { diagnostics(.storage(error)) }
            var rule = SessionRule()
            do { rule = try session.rule(log, storage) } catch { diagnostics(.storage(error)) }
            do { try await rule.findStart(in: log) } catch { diagnostics(.log(error)) }
            tracker.pipeline.wasOpened(log, session: rule)
            // Before any event is in the log: events of a user who opted out must not be delivered.
            if tracker.isOptedOut { await tracker.repeatOptOut() }
            await held.performSteps()
            // Before any event gets its number.
            let updater = switches.flatMap { tracker.pipeline.updater($0, storage, clock) }
            await updater?.start()
            do {
                flusher.set(
                    try EventFlusher(
                        log: log, sinks: sinks, policy: flushPolicy, clock: clock, timer: timer,
                        diagnostics: diagnostics, willFlush: { updater?.checkIfDue() }))
                tracker.pipeline.switchFlusher()
            } catch { diagnostics(.log(error)) }
            tracker.domain.actionCreator.sendHeld(held) { tracker.store($0, forKey: endedSessionKey) }
            updater?.checkIfDue()
        }
        return tracker
    }

    /// Continues with the stored device and user.
    private func adopt(
        _ identity: DeferredStorage.Identity, _ storage: DeferredStorage, _ pending: PendingEventStore
    ) {
        let stored = identity.deviceID.flatMap { $0.isEmpty ? nil : $0 }
        // A reset has created an id meanwhile, or this is the first start.
        let deviceID = stored ?? (try? storage.string(forKey: DeviceActionCreator.key)) ?? device.actionCreator.renew()
        if device.store.state.deviceID == DeferredStorage.unknownDeviceID {
            device.actionCreator.dispatcher.dispatch(DeviceAction(deviceID: deviceID))
        }
        let userID = identity.userID ?? deviceID
        pipeline.adopt(deviceID: deviceID, userID: userID)
        guard pipeline.requiresConsent else { return }
        for user in Set(pipeline.ownUserIDs + [userID, deviceID]) { pending.requireConsent(of: user) }
    }
}

/// The waits for the log of a tracker to open.
private struct OpeningWaits: Sendable {
    let pending: PendingEventStore
    let held: HeldEvents

    /// Ends the waits, unless the error goes away when the device is unlocked.
    ///
    /// - Returns: Whether the waits have ended.
    @discardableResult
    func attemptFailed(_ error: any Error) -> Bool {
        guard !passesWhenUnlocked(error) else { return false }
        pending.attemptFailed(error)
        held.attemptFailed(error)
        return true
    }

    /// Clears the error so far.
    func storageWasRead() {
        held.storageWasRead()
        pending.storageWasRead()
    }
}

/// Background time from the call that begins an opening to its end, or until the time expires. After expiry, the log
/// holds no lock while it waits for one, and continues when the process does.
private final class OpeningTime: Sendable {
    private struct State {
        var assertion: (any BackgroundAssertion)?
        var hasEnded = false
    }

    private let state = Locked(State())

    init(_ time: any BackgroundTime) {
        let assertion = time.begin("Opening the event log") { [weak self] in self?.end() }
        let hasEnded = state.withLock { state in
            state.assertion = assertion
            return state.hasEnded
        }
        if hasEnded { end() }
    }

    func end() {
        let assertion = state.withLock { state in
            state.hasEnded = true
            defer { state.assertion = nil }
            return state.assertion
        }
        assertion?.end()
    }
}

/// Retries until an operation succeeds: after 1 second, 2, 4 and so on up to 30.
struct Retry {
    let timer: any Clock<Duration>

    init(_ timer: any Clock<Duration>) { self.timer = timer }

    /// - Parameter report: Called with each error, before the wait.
    func value<Value>(
        _ attempt: () async throws -> Value, report: (_ error: any Error, _ isFirst: Bool) -> Void
    ) async -> Value {
        var wait = Duration.seconds(1)
        while true {
            do { return try await attempt() } catch {
                report(error, wait == .seconds(1))
                try? await timer.sleep(for: wait, tolerance: nil)  // never canceled
                wait = min(wait * 2, .seconds(30))
            }
        }
    }
}
