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
    /// The bits of the purposes that the present person has denied.
    private let denied = Atomic(0)
    /// The generation of the log to which ``denied`` belongs.
    private let generation = Atomic<UInt64>(0)
    private let hasEffects = Atomic(false)
    private let lateEffects = Locked<[SenderState.Effect]>([])

    let log: LogReference
    let store: IdentityStore
    private let context: TrackingContext?
    /// The expected length of the next line's envelope context. If it is too short, the log is called again.
    let contextLength = Atomic(0)
    private let devices: FluxDispatcher<DeviceAction>
    private let tape: EnvironmentTape?
    let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    /// The changes of consent that are being stored, in their order.
    private let tail = Locked<Task<Void, Never>?>(nil)

    init(
        _ setup: SenderState.Setup, maximumHeldBytes: Int, log: LogReference, store: IdentityStore,
        context: TrackingContext?, devices: FluxDispatcher<DeviceAction>, tape: EnvironmentTape?, isOpen: Bool,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) {
        var state = SenderState(
            setup, held: HeldCalls(maximumBytes: maximumHeldBytes, purposes: setup.purposes ?? [.analytics]))
        if isOpen { state.phase = .open }
        self.state = Locked(state)
        holding = Atomic(!isOpen)
        self.log = log
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
        lookUpConsent(state, log, generation)
        changes.wrappingAdd(1, ordering: .releasing)
        return effects
    }

    /// The consent of the present person. Before the identity is known, it is unknown, unless the person has answered.
    func status(for purpose: Purpose) -> ConsentStatus {
        upToDate { state in
            state.phase == .open
                ? state.rule(log.current, purpose).status : ConsentRule(answer: state.held.answers[purpose]).status
        }
    }

    /// The bit of a purpose in ``deniedPurposes(at:)``; nil if there are too many.
    @Sendable
    func bit(of purpose: Purpose) -> Int? {
        if purpose == .exempt { return 0 }
        return state.withLock { state in
            guard let index = state.index(of: purpose) else { return nil }
            // Before the first event of the purpose is in the log.
            if state.phase != .opening, purpose != .analytics { log.current.addPurposes([purpose]) }
            // The next event looks the consent up.
            generation.store(0, ordering: .relaxed)
            return 1 << index
        }
    }

    /// The identified user; nil before the identity is known.
    var user: String? { upToDate { $0.identity.userID } }

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
    func deniedPurposes(at logGeneration: UInt64) -> Int {
        if logGeneration != generation.load(ordering: .relaxed) { lookUp() }
        return denied.load(ordering: .acquiring)
    }

    /// Whether an answer that waits for the log denies consent.
    func isDeniedWhileHolding(_ purpose: Purpose) -> Bool {
        !state.withLock { ConsentRule(answer: $0.held.answers[purpose]).mayStore }
    }

    @inline(never)
    private func lookUp() {
        let log = log.current
        // Before consent and identity are read: a change after that is seen at the next event.
        let generation = log.consentGeneration
        run(state.withLock { lookUp(&$0, log, generation) })
    }

    private func lookUp(
        _ state: inout SenderState, _ log: any EventStore, _ generation: UInt64
    ) -> [SenderState.Effect] {
        let effects = state.refresh(log)
        if !effects.isEmpty { changes.wrappingAdd(1, ordering: .releasing) }
        lookUpConsent(state, log, generation)
        return effects
    }

    func lookUpConsent(_ state: SenderState, _ log: any EventStore, _ generation: UInt64) {
        var bits = 0
        for (index, purpose) in state.purposes.enumerated() where !state.rule(log, purpose).mayStore {
            bits |= 1 << index
        }
        denied.store(bits, ordering: .releasing)
        self.generation.store(generation, ordering: .relaxed)
    }

    /// Like ``deniedPurposes(at:)``, under the locks of the log and of the state. The effects run later.
    func deniedPurposes(_ state: inout SenderState, _ generation: UInt64) -> Int {
        let effects = lookUp(&state, log.current, generation)
        if !effects.isEmpty {
            lateEffects.withLock { $0 += effects }
            hasEffects.store(true, ordering: .releasing)
        }
        return denied.load(ordering: .relaxed)
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
            defer { lookUpConsent(state, log, generation) }
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
                tail.withLock { tail in
                    tail = Task { [before = tail] in
                        await before?.value
                        await storeConsent(noted, stored)
                    }
                }
            case .device(let id): devices.dispatch(DeviceAction(deviceID: id))
            case .report(let diagnostic): diagnostics(diagnostic)
            case .dropHeld(let events):
                for event in events {
                    drop(event.kind.name, .optedOut, at: event.time)
                    event.claim?.settle(.success(nil))
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

    private func storeIdentity() { do { try writeIdentity() } catch { diagnostics(.storage(error)) } }

    private func writeIdentity() throws {
        while store.isPending {
            guard let number = try store.write() else { return }
            log.current.identityIsStored(number)
            // Another process may have stored a newer identity before this one.
            if store.isNumbered, let newest = log.current.identity, newest.number > number { store.add(newest) }
        }
    }

    private func storeConsent(_ noted: NumberedConsentChange, _ stored: Awaited<Void>?) async {
        do {
            let log = log.current
            try await log.storeConsent(noted)
            state.withLock { $0.wasStored(noted, in: log) }
            stored?.settle(.success(()))
        } catch {
            if let stored { stored.settle(.failure(error)) } else { diagnostics(.log(error)) }
        }
    }

    /// Returns when the log has stored all changes of consent so far, or has reported an error.
    func storeConsents() async { await tail.withLock { $0 }?.value }

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
