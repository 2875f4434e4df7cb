internal import Dispatch
package import EventLog
package import EventModel
internal import Flux
internal import Foundation
internal import Primitives

/// What a tracker needs to start.
package struct TrackerSetup: Sendable {
    package var clock: any TrackingClock
    package var timer: any Clock<Duration>
    package var ids: any TrackingIDs
    package var context: TrackingContext?
    package var session = SessionStart.resumed
    package var consent = ConsentPolicy.assumed
    package var consentScope = ConsentScope.person
    /// The purposes of the plan; nil without one.
    package var purposes: [Purpose]?
    /// How many users of `Tracker.as(user:)` keep their session in memory.
    package var cachedUsers = TrackerSetup.standardCachedUsers
    /// Whether the identity is the log's. Otherwise the storage has the identity of a separate person.
    package var sharesIdentity = false
    /// Reads what the log has stored, without creating or changing a file. nil: only the open log knows it, so it is opened
    /// in any case.
    package var unopenedConsent: (@Sendable () throws -> UnopenedConsent)?
    package var flushPolicy = FlushPolicy.standard
    package var sendingLimit: SendingLimit? = .standard
    package var unplanned = UnplannedEvents.rejected
    package var maximumHeldBytes = TrackerSetup.standardHeldBytes
    package var backgroundTime: any BackgroundTime = .system
    /// Makes the updater of the remote switches once the log is open; nil without them.
    package var switches: SwitchesSetup?
    package var diagnostics: @Sendable (TrackingDiagnostic) -> Void

    package static let standardHeldBytes = 4 << 20
    package static let standardCachedUsers = 10_000

    package init(
        clock: any TrackingClock, timer: any Clock<Duration>, ids: any TrackingIDs, context: TrackingContext?,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) {
        self.clock = clock
        self.timer = timer
        self.ids = ids
        self.context = context
        self.diagnostics = diagnostics
    }
}

extension Tracker {
    /// Makes a tracker, and opens its log on a separate thread. Neither files nor the storage are used on the caller's
    /// thread.
    ///
    /// - Parameters:
    ///   - storage: Stores the identity.
    ///   - opening: Opens the log and makes the sinks. Called again if it throws. May block its thread.
    package static func open(
        _ setup: TrackerSetup, storage: any KeyValueStorage,
        opening: @escaping @Sendable () throws -> (log: any EventStore, sinks: [any Sink])
    ) -> Tracker {
        let tracker = Tracker(setup, log: nil, storage: storage, containers: FluxDispatcher(), flusher: nil, tape: nil)
        let queue = DispatchQueue(label: "Tracking.opening", qos: .userInitiated)
        let run: @Sendable () -> Void = {
            let opening = TrackerOpening(tracker: tracker, setup: setup, storage: storage, open: opening)
            queue.async { opening.run() }
        }
        guard setup.consent.storesNothingBefore, let stored = setup.unopenedConsent else {
            run()
            return tracker
        }
        let look: @Sendable () -> Void = { queue.async { tracker.pipeline.sender.look(stored, setup) } }
        tracker.pipeline.sender.opening.withLock { $0 = (run, look) }
        look()
        return tracker
    }
}

/// The opening of a tracker's log on a separate thread, so that the app's tasks don't delay it, and it does not delay them.
private final class TrackerOpening: Sendable {
    private let tracker: Tracker
    private let setup: TrackerSetup
    private let storage: any KeyValueStorage
    private let open: @Sendable () throws -> (log: any EventStore, sinks: [any Sink])
    /// Background time from the call that begins the opening to its end, or until the time expires. After expiry, the log
    /// holds no lock while it waits for one, and continues when the process does.
    private let time: EndingBackgroundTime

    private var sender: Sender { tracker.pipeline.sender }
    private var identities: IdentityStore { sender.store }

    init(
        tracker: Tracker, setup: TrackerSetup, storage: any KeyValueStorage,
        open: @escaping @Sendable () throws -> (log: any EventStore, sinks: [any Sink])
    ) {
        self.tracker = tracker
        self.setup = setup
        self.storage = storage
        self.open = open
        time = EndingBackgroundTime(setup.backgroundTime, "Opening the event log")
    }

    func run() {
        defer { time.end() }
        sender.opening.withLock { $0 = nil }
        let stored = readStorage()
        let (log, sinks, identity, isNew) = openLog(stored)
        var rule = SessionRule()
        if setup.session == .resumed {
            let people = [identity.userID, identity.deviceID]
            rule = SessionRule(resuming: log.newest, unless: identity.endedSession, of: people)
            do { try rule.findStart(in: log, of: people) } catch { report(.log(error)) }
        }
        var hasStoredCalls = false
        do { hasStoredCalls = try sender.wasOpened(log, identity, isNew: isNew, session: rule) } catch {
            report(.storage(error))
        }
        // The opening may have made the id of a person without one.
        let present = sender.state.withLock { $0.identity }
        if present.number > stored.number || stored.deviceID != present.drawnDeviceID {
            sender.run([.identity(present)])
        }
        // Before any event gets its number.
        let updater = setup.switches.flatMap { tracker.pipeline.updater($0, storage, setup.clock) }
        updater?.start()
        do {
            tracker.pipeline.flusher.set(
                try EventFlusher(
                    log: log, sinks: sinks, policy: setup.flushPolicy, clock: setup.clock, timer: setup.timer,
                    diagnostics: sender.diagnostics, willFlush: { updater?.checkIfDue() }))
            tracker.pipeline.switchFlusher()
            tracker.pipeline.flusher.resumeErasures()
        } catch { report(.log(error)) }
        sender.release {
            tracker.domain.actionCreator.send(held: $0)
        } finally: {
            if hasStoredCalls { do { try sender.forgetStoredCalls() } catch { report(.storage(error)) } }
        }
        updater?.checkIfDue()
    }

    private func report(_ diagnostic: TrackingDiagnostic) { sender.diagnostics(diagnostic) }

    /// Reads the identity, as soon as the storage can be read.
    private func readStorage() -> IdentityStore.Stored {
        var hasEndedWaits = false
        let stored = setup.retry(identities.read) { error, isFirst in
            let endsWaits = sender.attemptFailed(error)
            // Also report the first error that ends waits: without a report, methods would return without a reason.
            if isFirst || endsWaits && !hasEndedWaits { report(.storage(error)) }
            guard endsWaits else { return }
            hasEndedWaits = true
            time.end()
        }
        sender.storageWasRead()
        if let damage = identities.takeDamage() { report(.storage(damage)) }
        return stored
    }

    private func openLog(_ stored: IdentityStore.Stored) -> (any EventStore, [any Sink], LogIdentity, isNew: Bool) {
        setup.retry {
            let (log, sinks) = try open()
            // Another process may have stored its identity since, and closed the log, which forgets a stored identity.
            let newest = setup.sharesIdentity ? try identities.read() : stored
            let (identity, isNew) = try identity(newest, log)
            return (log, sinks, identity, isNew)
        } report: { error, isFirst in
            if isFirst { report(.log(error)) }
            do { try sender.keepDrops() } catch { report(.storage(error)) }
            sender.attemptFailed(error)
            // The attempts may need long, and the waiting calls are only in memory.
            time.end()
        }
    }

    /// The identity of the log or of the storage, or a new one.
    private func identity(
        _ stored: IdentityStore.Stored, _ log: any EventStore
    ) throws -> (LogIdentity, isNew: Bool) {
        let known = try stored.deviceID ?? (stored.isLost ? log.newestDevice() : nil)
        var isNew = false
        func make() -> LogIdentity {
            isNew = known == nil
            return LogIdentity(
                deviceID: known ?? setup.newDevice(after: stored), userID: stored.userID,
                endedSession: stored.endedSession, number: stored.number)
        }
        return (setup.sharesIdentity ? try log.adoptIdentity(atLeast: stored.number, make) : make(), isNew)
    }
}

extension TrackerSetup {
    /// The id of a device that has none.
    func newDevice(after stored: IdentityStore.Stored) -> String {
        // The former policy may have stored nothing: the person's id is then made when the log knows the person.
        guard let number = stored.unnamed ?? (consent.storesNothingBefore ? stored.number : nil) else {
            return ids.uuid()
        }
        return LogIdentity.unnamed(number)
    }

    /// Retries until an operation succeeds: after 1 second, 2, 4 and so on up to 30.
    ///
    /// - Parameter report: Called with each error, before the wait.
    func retry<Value>(
        _ attempt: () throws -> Value, report: (_ error: any Error, _ isFirst: Bool) -> Void
    ) -> Value {
        var wait = Duration.seconds(1)
        while true {
            do { return try attempt() } catch {
                report(error, wait == .seconds(1))
                let length = wait
                // Never canceled.
                try? BlockedThread.wait { [timer] in try await timer.sleep(for: length, tolerance: nil) }
                wait = min(wait * 2, .seconds(30))
            }
        }
    }
}

/// Waits for asynchronous work on a thread that is not in Swift's cooperative pool.
package enum BlockedThread {
    package static func wait<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = Locked<Result<Value, Failure>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task {
            let outcome: Result<Value, Failure>
            do throws(Failure) { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            result.withLock { $0 = outcome }
            isDone.signal()
        }
        isDone.wait()
        guard let outcome = result.withLock({ $0 }) else { preconditionFailure("signaled without a result") }
        return try outcome.get()
    }
}

extension Sender {
    /// Continues with the log that was opened. The held calls are performed by ``release(_:)``.
    ///
    /// - Parameter isNew: Whether the identity was made now.
    /// - Returns: Whether the storage has calls of the person; see ``performStoredCalls(isNew:)``.
    /// - Throws: The error that prevents removing the drops of former processes from the storage. They may then be counted
    ///   twice.
    fileprivate func wasOpened(
        _ log: any EventStore, _ identity: LogIdentity, isNew: Bool, session: SessionRule
    ) throws -> Bool {
        self.log.set(log)
        let generation = log.consentGeneration
        let (effects, drops, reports) = state.withLock { state in
            state.phase = .releasing
            state.failure = nil
            let effects = state.start(identity, session: session, log: log)
            lookUpConsent(state, log, at: generation)
            return (effects, state.drops, state.drops.reports())
        }
        expect(identity)
        run(effects)
        for report in reports { diagnostics(report) }
        drops.counts.record(in: log)
        let hasStoredCalls = try performStoredCalls(isNew: isNew)
        guard let stored = try store.storage.string(forKey: UnopenedDrops.key) else { return hasStoredCalls }
        if !drops.areStored { UnopenedDrops(stored)?.record(in: log) }
        // Behind a write that has begun.
        try store.queue.sync { try store.storage.set(nil, forKey: UnopenedDrops.key) }
        return hasStoredCalls
    }

    /// Performs the held calls in their order. Calls are no longer held after that.
    ///
    /// - Parameter finally: Called once all calls so far are performed.
    fileprivate func release(_ send: (HeldEvent) -> Void, finally: () -> Void) {
        var hasEnded = false
        while true {
            let (calls, waiting): ([HeldCalls.Call]?, [Awaited<Void>]) = state.withLock { state in
                guard state.held.isEmpty, hasEnded else { return (state.held.removeAll(), []) }
                return (nil, state.endHolding(self))
            }
            for waiter in waiting { waiter.settle(.success(())) }
            guard let calls else { return }
            if calls.isEmpty {
                finally()
                hasEnded = true
            }
            for call in calls {
                switch call {
                case .event(let event): send(event)
                case .change(let change): run(state.withLock { perform(change, in: &$0) })
                }
            }
        }
    }

    /// Ends waits after a failed attempt to read the storage or to open the log, unless the error goes away when the device
    /// is unlocked. Calls continue to be held.
    ///
    /// - Returns: Whether waits have ended.
    @discardableResult
    func attemptFailed(_ error: any Error) -> Bool {
        guard !passesWhenUnlocked(error) else { return false }
        let (waiting, failHeld, reports) = state.withLock { state in
            state.failure = error
            defer { state.waiters = [] }
            return (state.waiters, state.held.failWaiting(error), state.drops.reports())
        }
        // A caller that has waited knows of the drops.
        for report in reports { diagnostics(report) }
        for waiter in waiting { waiter.settle(.failure(error)) }
        failHeld()
        return true
    }

    /// The storage could be read: callers wait for the log again.
    fileprivate func storageWasRead() { state.withLock { $0.failure = nil } }

    /// Returns when the log is open and the held calls have been performed.
    ///
    /// - Throws: The error of the last attempt to read the storage or to open the log.
    func opened() async throws {
        guard isHolding else { return }
        let waiter = Awaited<Void>()
        let result: Result<Void, any Error>? = state.withLock { state in
            if state.phase == .open { return .success(()) }
            if let failure = state.failure { return .failure(failure) }
            state.waiters.append(waiter)
            return nil
        }
        if let result { return try result.get() }
        try await waiter.value
    }

    // MARK: Held events

    /// The result for an event that is sent while calls are held.
    enum Outcome {
        case held
        case dropped(DropReason)
        /// The log has been opened meanwhile: append the event.
        case passed
    }

    /// Holds an event. While the log can't be opened, the event's claim fails immediately.
    func hold(_ event: HeldEvent) -> Outcome {
        let (outcome, failure, effects): (Outcome, (any Error)?, [SenderState.Effect]) = state.withLock { state in
            guard state.phase != .open else { return (.passed, nil, []) }
            let isUnanswered = state.unopened != nil
            guard state.held.hold(event) else { return (.dropped(isUnanswered ? .unanswered : .notOpen), nil, []) }
            return (.held, state.failure, state.openIfNeeded(for: event))
        }
        if let failure, effects.isEmpty { event.claim?.settle(.failure(failure)) }
        run(effects)
        return outcome
    }

    // MARK: Drops

    /// Counts and reports a drop. Of events that find no room, or are only counted, the first one of a name is reported, and
    /// the number of the others at the end of the attempt to open the log, or at the next change of consent.
    func drop(_ name: String, _ reason: DropReason, at time: EventTime) {
        let (isCounted, isReported, isStored) = state.withLock { state in
            let isReported = reason != .notOpen && reason != .unanswered || state.drops.isFirst(name, reason)
            guard state.phase == .opening else { return (false, isReported, false) }
            state.drops.counts.count(reason, at: time)
            return (true, isReported, state.drops.areStored)
        }
        if !isCounted { log.with { $0.recordDrop(reason, at: time) } }
        // On another thread, so that senders don't wait for the disk. Drops of the last moment before the process ends may
        // be missing. Each was reported already; that it could not be stored adds nothing.
        if isStored { store.queue.async { try? self.storeDrops() } }
        if isReported { diagnostics(.dropped(eventName: name, reason: reason)) }
    }

    /// Stores drops from now on, since an attempt to open the log has failed.
    ///
    /// - Throws: The error that prevents storing them.
    fileprivate func keepDrops() throws {
        if !state.withLock({ $0.drops.areStored }) {
            let former = try store.storage.string(forKey: UnopenedDrops.key).flatMap(UnopenedDrops.init)
            state.withLock { state in
                if let former { state.drops.counts.add(former) }
                state.drops.areStored = true
            }
        }
        try store.queue.sync { try storeDrops() }
    }

    private func storeDrops() throws {
        let text = state.withLock { $0.phase == .opening ? $0.drops.textToStore() : nil }
        if let text { try store.storage.set(text, forKey: UnopenedDrops.key) }
    }
}

extension EventStore {
    /// The device's id in the newest event that an anonymous person sent; nil if there is none. Ids of devices are UUIDs.
    fileprivate func newestDevice() throws -> String? {
        var end = newest?.seq ?? 0
        while end > 0 {
            let start = max(end - 500, 0)
            let events = try readBlocking(after: start, maximumCount: Int(end - start), maximumBytes: .max)
            for event in events.reversed() where event.seq <= end {
                let user = RecordedContainer(validating: event.line)?.json[.userID]?.stringValue
                if let user, UUID(uuidString: user)?.uuidString == user { return user }
            }
            end = start
        }
        return nil
    }

    /// Reads events on a thread that may block.
    func readBlocking(after seq: Int64, maximumCount: Int, maximumBytes: Int) throws -> [EventRecord] {
        if let log = self as? any BlockingEventReader {
            return try log.readBlocking(after: seq, maximumCount: maximumCount, maximumBytes: maximumBytes)
        }
        return try BlockedThread.wait {
            try await read(after: seq, maximumCount: maximumCount, maximumBytes: maximumBytes)
        }
    }
}
