internal import Dispatch
internal import EventLog
internal import EventModel
internal import Flux
internal import Primitives

/// The only type that knows who sends, whether they may, and whether the log is open.
final class Sender: Sendable {
    let state: Locked<SenderState>
    /// Counts the changes that affect the next event. Incremented within the lock of `state`, after each change of user,
    /// session or consent; otherwise the next event misses the change.
    let changes = Atomic(0)
    /// Whether calls are held, because the log is not open. Never becomes true again after it was false.
    private let holding: Atomic<Bool>
    /// What the present person's consent restricts: see ``SenderState/restrictions(_:)``.
    private let restricted = Atomic(0)
    /// The generation of the log to which ``restricted`` belongs.
    private let generation = Atomic<UInt64>(0)
    private let hasEffects = Atomic(false)
    private let lateEffects = Locked<[SenderState.Effect]>([])

    let log: LogReference
    let scope: ConsentScope
    let store: IdentityStore
    private let context: TrackingContext?
    /// The expected length of the next line's envelope context. If it is too short, the log is called again.
    let contextLength = Atomic(0)
    private let devices: FluxDispatcher<DeviceAction>
    private let tape: EnvironmentTape?
    let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let consents = ConsentStorage()
    /// Opens the log that is not opened before it is needed, or reads the stored values again. Both on another thread.
    let opening = Locked<(open: @Sendable () -> Void, look: @Sendable () -> Void)?>(nil)
    /// Sends events that have waited for an answer. Set once, before the first event.
    let sending = AtomicLazyReference<Sending>()

    final class Sending: Sendable {
        let send: @Sendable (WaitingEvent) -> Void
        init(_ send: @escaping @Sendable (WaitingEvent) -> Void) { self.send = send }
    }

    init(
        _ setup: SenderState.Setup, maximumHeldBytes: Int, log: LogReference, store: IdentityStore,
        context: TrackingContext?, devices: FluxDispatcher<DeviceAction>, tape: EnvironmentTape?, isOpen: Bool,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) {
        var state = SenderState(
            setup,
            held: HeldCalls(
                maximumBytes: maximumHeldBytes, purposes: setup.purposes ?? [.analytics],
                isShared: setup.scope == .device))
        if isOpen { state.phase = .open }
        self.state = Locked(state)
        holding = Atomic(!isOpen)
        self.log = log
        scope = setup.scope
        self.store = store
        self.context = context
        self.devices = devices
        self.tape = tape
        self.diagnostics = diagnostics
    }

    @inline(__always)
    var isHolding: Bool { holding.load(ordering: .acquiring) }

    /// Call it under the lock of `state`.
    func stopHolding() { holding.store(false, ordering: .releasing) }

    // MARK: Identity and consent

    func perform(_ call: SenderCall) {
        let effects: [SenderState.Effect] = state.withLock { state in
            guard state.phase != .open else { return perform(call, in: &state) }
            return state.hold(call)
        }
        run(effects)
    }

    func perform(_ call: SenderCall, in state: inout SenderState) -> [SenderState.Effect] {
        let log = log.current
        let generation = log.consentGeneration
        // What other processes did before the call.
        let effects = state.refresh(log) + state.perform(call, log: log)
        lookUpConsent(state, log, at: generation)
        changes.wrappingAdd(1, ordering: .releasing)
        return effects
    }

    /// The consent of a user, or of the present person. Until the log is open, it is unknown, unless the person has
    /// answered.
    func status(for purpose: Purpose, of user: String? = nil) -> ConsentStatus {
        upToDate { state in
            state.phase == .open
                ? state.rule(log.current, purpose, of: user).status : state.heldRule(purpose, of: user).status
        }
    }

    /// The bit of a purpose in ``restrictions(at:)``; nil if there are too many.
    @Sendable
    func bit(of purpose: Purpose) -> Int? {
        if purpose == .exempt { return 0 }
        return state.withLock { state in
            guard let index = state.index(of: purpose) else { return nil }
            // Before the first event of the purpose is in the log.
            if state.phase != .opening, purpose != .analytics { log.current.addPurposes([purpose]) }
            // The next event looks the consent up, also in the pipeline.
            generation.store(0, ordering: .relaxed)
            changes.wrappingAdd(1, ordering: .releasing)
            return 1 << index
        }
    }

    /// The present identity; without a user before it is known, unless it waits for an answer.
    var identity: LogIdentity { upToDate { $0.unopened?.identity ?? $0.identity } }
    var user: String? { identity.userID }

    private func upToDate<Value>(_ value: (SenderState) -> Value) -> Value {
        let (effects, value) = state.withLock { state in
            (state.phase == .open ? state.refresh(log.current) : [], value(state))
        }
        run(effects)
        return value
    }

    /// Checked before an event is encoded, and checked again before it is appended if anything has changed since. Takes
    /// one atomic load as long as no consent and no identity has changed.
    @inline(__always)
    func restrictions(at logGeneration: UInt64) -> Int {
        if logGeneration != generation.load(ordering: .relaxed) { lookUp() }
        return restricted.load(ordering: .acquiring)
    }

    /// The reason to drop an event before it is held; nil if there is none.
    func dropReasonWhileHolding(_ purpose: Purpose, of user: String? = nil) -> DropReason? {
        state.withLock { state in
            let rule = state.heldRule(purpose, of: user)
            if !rule.mayStore { return .optedOut }
            return state.unopened != nil && !rule.mayDeliver && state.setup.isOnlyCounted(purpose) ? .unanswered : nil
        }
    }

    /// The reason to drop an event that ``TrackingPipeline/maySend(_:by:)`` does not allow.
    func dropReason(of purpose: Purpose, by user: User?) -> DropReason {
        isHolding ? dropReasonWhileHolding(purpose, of: user?.id) ?? .optedOut : .optedOut
    }

    @inline(never)
    private func lookUp() {
        let log = log.current
        // Before consent and identity are read: a change after that is seen at the next event.
        let generation = log.consentGeneration
        run(state.withLock { lookUp(&$0, log, at: generation) })
    }

    private func lookUp(
        _ state: inout SenderState, _ log: any EventStore, at generation: UInt64
    ) -> [SenderState.Effect] {
        let effects = state.refresh(log) + state.settle(log)
        if !effects.isEmpty { changes.wrappingAdd(1, ordering: .releasing) }
        lookUpConsent(state, log, at: generation)
        return effects
    }

    func lookUpConsent(_ state: SenderState, _ log: any EventStore, at generation: UInt64) {
        restricted.store(state.restrictions(log), ordering: .releasing)
        self.generation.store(generation, ordering: .relaxed)
    }

    /// Like ``restrictions(at:)``, under the locks of the log and of the state. The effects run later.
    func restrictions(_ state: inout SenderState, _ generation: UInt64) -> Int {
        runLater(lookUp(&state, log.current, at: generation))
        return restricted.load(ordering: .relaxed)
    }

    /// Keeps effects for ``runLateEffects()``.
    func runLater(_ effects: [SenderState.Effect]) {
        guard !effects.isEmpty else { return }
        lateEffects.withLock { $0 += effects }
        hasEffects.store(true, ordering: .releasing)
    }

    /// Runs the effects that were found while the log's lock was held.
    @inline(__always)
    func runLateEffects() {
        if hasEffects.load(ordering: .relaxed) { runEffectsNow() }
    }

    @inline(never)
    private func runEffectsNow() {
        hasEffects.store(false, ordering: .relaxed)
        run(
            lateEffects.withLock { effects in
                defer { effects = [] }
                return effects
            })
    }

    /// Continues with an identity, if the log was open from the start.
    func start(_ identity: LogIdentity, session: SessionRule, isNew: Bool) {
        let log = log.current
        let generation = log.consentGeneration
        let effects = state.withLock { state in
            defer { lookUpConsent(state, log, at: generation) }
            return state.start(identity, session: session, log: log)
        }
        tape?.setUser(identity.person)
        expect(identity)
        run((isNew ? [.identity(identity)] : []) + effects)
    }

    // MARK: Effects

    /// Runs effects, without a lock held. Those that use a disk run later, on other threads.
    func run(_ effects: [SenderState.Effect]) {
        for effect in effects {
            switch effect {
            case .identity(let identity):
                tape?.setUser(identity.person)
                expect(identity)
                store.add(identity)
                if store.isImmediate { storeIdentity() } else { store.queue.async { self.storeIdentity() } }
            case .consent(let noted, let stored):
                if consents.add(noted, stored) { Task { await storePendingConsents() } }
            case .device(let id): devices.dispatch(DeviceAction(deviceID: id))
            case .report(let diagnostic): diagnostics(diagnostic)
            case .dropHeld(let events, let reason):
                for event in events {
                    drop(event.kind.name, reason, at: event.time)
                    event.claim?.settle(.success(nil))
                }
            case .release(let events): for event in events { sending.load()?.send(event) }
            case .open: opening.withLock { $0 }?.open()
            case .storeCall(let call, let stored):
                if store.isImmediate {
                    storeCall(call, stored)
                } else {
                    store.queue.async { self.storeCall(call, stored) }
                }
            case .fail(let stored, let error): stored.settle(.failure(error))
            }
        }
    }

    /// Expects events of an identity.
    func expect(_ identity: LogIdentity) {
        let anySession = String(repeating: "0", count: 36)
        let expected = EnvelopeContext(
            installID: log.current.installID, sessionID: anySession, userID: identity.person, context: context)
        contextLength.store(expected.length, ordering: .relaxed)
    }

    private func storeCall(_ call: SenderCall?, _ stored: Awaited<Void>?) {
        do {
            try store.storeCall(call)
            stored?.settle(.success(()))
        } catch {
            if let stored { stored.settle(.failure(error)) } else { diagnostics(.storage(error)) }
        }
    }

    /// Returns when all calls so far that are for the next start are stored, or an error was reported.
    func storeCalls() async {
        await withCheckedContinuation { continuation in store.queue.async { continuation.resume() } }
    }

    private func storeIdentity() { do { try writeIdentity() } catch { diagnostics(.storage(error)) } }

    private func writeIdentity() throws {
        while store.isPending {
            guard let number = try store.write() else { return }
            log.current.identityIsStored(number)
            // Another process may have stored a newer identity before this one.
            if state.withLock({ $0.setup.sharesIdentity }), let newest = log.current.identity, newest.number > number {
                store.add(newest)
            }
        }
    }

    /// Stores the changes of consent in their order. The changes of many people that arrive meanwhile are stored together
    /// next: each transaction waits for the disk.
    private func storePendingConsents() async {
        while let pending = consents.next() {
            let changes = pending.compactMap(\.change)
            do {
                // A task, because a caller's diagnostics must not keep the log waiting.
                try await log.current.storeConsents(changes) { removed in
                    Task { for one in pending where one.change != nil { self.settle(one, removed) } }
                }
                wereStored(changes)
                for mark in pending where mark.change == nil { mark.stored?.settle(.success(())) }
            } catch {
                for one in pending { await store(one, after: error, isOnly: changes.count == 1) }
            }
        }
    }

    /// Stores a change after an attempt to store it with others has failed.
    private func store(_ pending: ConsentStorage.Pending, after error: any Error, isOnly: Bool) async {
        do {
            if let change = pending.change {
                if isOnly { throw error }
                try await log.current.storeConsent(change)
                wereStored([change])
            }
            settle(pending, .success(()))
        } catch {
            settle(pending, .failure(error))
        }
    }

    private func settle(_ pending: ConsentStorage.Pending, _ result: Result<Void, any Error>) {
        if let stored = pending.stored {
            stored.settle(result)
        } else if case .failure(let error) = result {
            diagnostics(.log(error))
        }
    }

    private func wereStored(_ changes: [NumberedConsentChange]) {
        let log = log.current
        state.withLock { state in for change in changes { state.wasStored(change, in: log) } }
    }

    /// Returns when the log has stored all changes of consent so far, or has reported an error.
    func storeConsents() async {
        let stored = Awaited<Void>()
        // Never fails.
        if consents.addMark(stored) { try? await stored.value }
    }

    /// Returns when all changes of consent so far and the identity are stored.
    ///
    /// - Throws: The storage's error.
    func storeAll() async throws {
        await storeConsents()
        guard store.isPending else { return }
        let stored = Awaited<Void>()
        store.queue.async { stored.settle(Result { try self.writeIdentity() }) }
        try await stored.value
    }
}
