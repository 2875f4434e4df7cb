internal import DeliveryProtocol
internal import EventLog
internal import Primitives

/// Keeps a tracker's remote switches up to date: reads, verifies, stores and applies documents.
///
/// A check starts at the opening of the log, and then with a delivery if the last check is long enough ago. There is no
/// timer, so nothing wakes a sleeping app. Deliveries never wait for a check.
///
/// Each error is reported once until a check succeeds or fails for another reason, and changes nothing.
package final class SwitchesUpdater: Sendable {
    package struct Parts: Sendable {
        let source: any SwitchesSource
        let trust: SwitchesTrust
        /// Keeps the newest document across restarts; nil for a document of the app.
        let file: SwitchesFile?

        package init(source: any SwitchesSource, trust: SwitchesTrust, file: SwitchesFile?) {
            self.source = source
            self.trust = trust
            self.file = file
        }
    }

    /// The key in the storage of a wait that the server requested. It survives a restart.
    private static let pauseKey = "switches_pause"
    /// Two days, in microseconds: more than any wait that is stored.
    private static let longestPause: Int64 = 172_800_000_000

    private struct State {
        var isRunning = false
        /// The newest accepted document, which may have expired.
        var newest: TrustedSwitches?
        /// The wait until the next check.
        var pause: DeliveryPause?
        var failures = 0
        /// The last errors of the source and of the stored document; nil after a success.
        var sourceError: SwitchesError?
        var storedError: SwitchesError?
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The time between two checks of a server, without jitter.
    static let serverInterval = Duration.seconds(3600)
    /// The time between two checks of a file of the app.
    static let localInterval = Duration.seconds(60)

    private let parts: Parts
    private let storage: any KeyValueStorage
    private let clock: any TrackingClock
    private let jitter: @Sendable (Duration) -> Duration
    private let report: @Sendable (SwitchesError) -> Void
    private let apply: @Sendable (SwitchesDocument) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - storage: Keeps a wait that the server requested.
    ///   - jitter: Returns a random wait of at most the given duration.
    ///   - apply: Uses a document from now on.
    init(
        _ parts: Parts, storage: any KeyValueStorage, clock: any TrackingClock,
        jitter: @escaping @Sendable (Duration) -> Duration,
        report: @escaping @Sendable (SwitchesError) -> Void, apply: @escaping @Sendable (SwitchesDocument) -> Void
    ) {
        self.parts = parts
        self.storage = storage
        self.clock = clock
        self.jitter = jitter
        self.report = report
        self.apply = apply
    }

    /// Applies the switches that need no network: the stored document, or the document of the app. Blocks the thread.
    func start() {
        if parts.source.isLocal {
            checkIfDue()
            BlockedThread.wait { await self.idle() }
        } else {
            readStored()
            let pause = readPause()
            // A longer one is damaged.
            let isSound = pause.map { 0...Self.longestPause ~= $0.length - $0.waited } ?? false
            state.withLock { $0.pause = isSound ? pause : nil }
        }
    }

    /// Starts a check, unless one is running or the last one was not long enough ago. Returns immediately.
    func checkIfDue() {
        let now = clock.reading
        let (starts, renewed) = state.withLock { state in
            if state.isRunning { return (false, nil as DeliveryPause?) }
            if let pause = state.pause, pause.rest(at: now) > .zero {
                let renewed = pause.renewed(at: now, ifOlderThan: .seconds(30))
                state.pause = renewed ?? pause
                return (false, renewed)
            }
            state.isRunning = true
            return (true, nil)
        }
        if let renewed, renewed.isServers { store(renewed) }
        guard starts else { return }
        Task {
            let (length, isServers) = await check()
            let pause = DeliveryPause(setAt: clock.reading, length: length, isServers: isServers)
            store(pause)
            let waiting = state.withLock { state in
                state.isRunning = false
                state.pause = pause
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    /// Stores a wait that the server requested, or removes the stored one.
    private func store(_ pause: DeliveryPause) {
        guard !parts.source.isLocal else { return }
        // If it can't be stored, it is kept until the process ends.
        try? storage.set(pause.isServers ? pause.text : nil, forKey: Self.pauseKey)
    }

    private func readPause() -> DeliveryPause? {
        // Without a readable value, the check is made now.
        (try? storage.string(forKey: Self.pauseKey)).flatMap { $0 }.flatMap(DeliveryPause.init(text:))
    }

    /// Returns when no check is running.
    package func idle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if state.isRunning { state.waiting.append(continuation) }
                return !state.isRunning
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Makes a check.
    ///
    /// - Returns: The wait until the next one, and whether the server requested it.
    private func check() async -> (wait: Duration, isServers: Bool) {
        // Another process may have stored a newer document.
        readStored()
        let tag = state.withLock { $0.newest?.signed?.tag }
        switch await parts.source.read(unlessTagged: tag) {
        case .unchanged: succeeded()
        case .document(let bytes, let tag):
            do throws(SwitchesError) {
                try await accept(bytes, tag)
                succeeded()
            } catch { failed(error) }
        case .failed(let error, let wait, let isTransient):
            failed(error)
            let failures = state.withLock { state in
                state.failures += 1
                return state.failures
            }
            // Devices that got the same wait do not return at the same moment.
            if let wait { return (wait + jitter(max(.seconds(1), wait / 10)), true) }
            if isTransient { return (BackOff.wait(failures: failures - 1, jitter: jitter), false) }
            return (interval, false)
        }
        state.withLock { $0.failures = 0 }
        return (interval, false)
    }

    private var interval: Duration {
        guard !parts.source.isLocal else { return Self.localInterval }
        return Self.serverInterval + jitter(Self.serverInterval / 10)
    }

    private func succeeded() { state.withLock { $0.sourceError = nil } }

    private func failed(_ error: SwitchesError) {
        let isNew = state.withLock { state in
            defer { state.sourceError = error }
            return state.sourceError != error
        }
        if isNew { report(error) }
    }

    private func storedFailed(_ error: SwitchesError) {
        let isNew = state.withLock { state in
            defer { state.storedError = error }
            return state.storedError != error
        }
        if isNew { report(error) }
    }

    /// Uses the stored document if it is newer than the known one.
    private func readStored() {
        guard let file = parts.file else { return }
        do {
            guard let bytes = try file.read() else { return }
            let stored = try parts.trust.read(bytes, named: "the stored switches")
            state.withLock { $0.storedError = nil }
            guard adopt(stored) else { return }
            apply(stored.document)
        } catch let error as SwitchesError {
            storedFailed(error)
        } catch {
            storedFailed(
                SwitchesError(.notStored, "cannot read the switches in \(file.path): \(error); check its owner"))
        }
    }

    /// Remembers a document, unless a newer one is known.
    private func adopt(_ new: TrustedSwitches) -> Bool {
        state.withLock { state in
            guard new.document.version > state.newest?.document.version ?? 0 else { return false }
            state.newest = new
            return true
        }
    }

    /// Checks a document that was read from the source; stores and applies it if it is new.
    private func accept(_ bytes: [UInt8], _ tag: String?) async throws(SwitchesError) {
        let name = parts.source.isLocal ? "the app's switches" : "the fetched switches"
        var new = try parts.trust.read(bytes, named: name)
        new.signed?.tag = tag
        let known = state.withLock { $0.newest }
        if let known, new.document.version <= known.document.version {
            // The same document again.
            if new.payload == known.payload {
                return state.withLock { state in
                    if state.newest?.payload == new.payload { state.newest?.signed = new.signed }
                }
            }
            throw SwitchesError(
                .older,
                "\(name) have version \(new.document.version), which is not higher than \(known.document.version); "
                    + "raise the version with each change")
        }
        guard !new.document.isExpired(at: clock.now) else {
            throw SwitchesError(
                .expired,
                "\(name) of version \(new.document.version) expired at \(new.document.expiry); "
                    + "set a later expires_at, and raise the version")
        }
        guard adopt(new) else { return }
        apply(new.document)
        try await store(new)
    }

    private func store(_ new: TrustedSwitches) async throws(SwitchesError) {
        guard let file = parts.file, let signed = new.signed else { return }
        do {
            let isStored = try await file.replace(with: signed.json) { bytes in
                let stored = try? parts.trust.read(bytes, named: "the stored switches")  // replaced if unreadable
                return stored.map { $0.document.version > new.document.version } ?? false
            }
            if !isStored { readStored() }
        } catch {
            throw SwitchesError(
                .notStored,
                "cannot store the switches in \(file.path): \(error); they are in effect until the process ends")
        }
    }
}
