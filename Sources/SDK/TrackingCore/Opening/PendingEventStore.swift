internal import EventLog
internal import EventModel
internal import Primitives

/// A placeholder for a log that is being opened. Forwards every call once the log is open.
///
/// Before that, nothing is appended; see ``HeldEvents``. Drops are counted and passed on to the log later. Asynchronous
/// calls wait. Consent is unknown for every user.
final class PendingEventStore: EventStore {
    private final class Opened: Sendable {
        let log: any EventStore
        init(_ log: any EventStore) { self.log = log }
    }

    private struct State {
        /// The error of the last attempt to read the storage or to open the log, unless it goes away when the device is
        /// unlocked.
        var failure: (any Error)?
        /// Whether ``drops`` includes the drops that an earlier process stored, and drops are stored from now on.
        var hasFormerDrops = false
        var waiting: [CheckedContinuation<any EventStore, any Error>] = []
        var drops = UnopenedDrops()
        /// The drops as last stored.
        var saved = UnopenedDrops()
        var isSaving = false
        /// Users without a known answer so far.
        var newUsers: [String] = []
    }

    private let opened = AtomicLazyReference<Opened>()
    private let state = Locked(State())
    private let storage: any KeyValueStorage
    private let initialTime: any BackgroundTime
    let deliveries = DeliveryRegistry()

    init(storage: any KeyValueStorage, backgroundTime: any BackgroundTime) {
        self.storage = storage
        initialTime = backgroundTime
    }

    // MARK: Opening

    /// Forwards every call to the log from now on. Passes the drops on first, those included that were stored while an
    /// earlier log could not be opened.
    ///
    /// - Throws: The error that prevents removing these from the storage. They may then be counted twice.
    func open(_ log: any EventStore) throws {
        let (waiting, hasFormerDrops, drops) = state.withLock { state in
            // Before anything else can happen in the log.
            for user in state.newUsers { log.requireConsent(of: user) }
            _ = opened.storeIfNil(Opened(log))
            defer { (state.waiting, state.failure) = ([], nil) }
            return (state.waiting, state.hasFormerDrops, state.drops)
        }
        for continuation in waiting { continuation.resume(returning: log) }
        drops.record(in: log)
        guard let stored = try storage.string(forKey: UnopenedDrops.key) else { return }
        if !hasFormerDrops { UnopenedDrops(stored)?.record(in: log) }
        try storage.set(nil, forKey: UnopenedDrops.key)
    }

    /// Records a failed attempt to read the storage or to open the log: waiting callers get the error.
    func attemptFailed(_ error: any Error) {
        let waiting = state.withLock { state in
            state.failure = error
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(throwing: error) }
    }

    /// The storage could be read: callers wait for the log again.
    func storageWasRead() { state.withLock { $0.failure = nil } }

    /// Stores drops from now on, since an attempt to open the log has failed.
    ///
    /// - Throws: The error that prevents storing them.
    func keepDrops() throws {
        let isFirst = !state.withLock { $0.hasFormerDrops }
        // If the stored drops can't be read, they stay unchanged.
        let stored = Result {
            isFirst ? try storage.string(forKey: UnopenedDrops.key).flatMap(UnopenedDrops.init) : nil
        }
        let drops = state.withLock { state in
            if case .success(let former) = stored {
                if let former { state.drops.add(former) }
                state.hasFormerDrops = true
            }
            // Drops that are counted meanwhile are stored afterwards: this text must not replace a newer one.
            if isFirst { state.isSaving = true }
            return state.drops
        }
        guard isFirst else { return save() }
        do {
            _ = try stored.get()
            try storage.set(drops.text, forKey: UnopenedDrops.key)
            state.withLock { state in (state.saved, state.isSaving) = (drops, false) }
        } catch {
            state.withLock { $0.isSaving = false }
            throw error
        }
        save()
    }

    /// Stores the drops on another thread, so that senders don't wait for the disk. Drops of the last moment before the
    /// process ends may be missing.
    private func save() {
        let isNeeded = state.withLock { state in
            defer { state.isSaving = true }
            return !state.isSaving
        }
        guard isNeeded else { return }
        Task {
            while let text = nextText() {
                // Each of these drops was reported already; reporting that they could not be stored adds nothing.
                try? storage.set(text, forKey: UnopenedDrops.key)
                // The log may have been opened meanwhile and has counted the drops.
                if opened.load() != nil { try? storage.set(nil, forKey: UnopenedDrops.key) }
            }
        }
    }

    /// The text to store next; nil if everything is stored.
    private func nextText() -> String? {
        state.withLock { state in
            guard state.drops != state.saved, opened.load() == nil else {
                state.isSaving = false
                return nil
            }
            state.saved = state.drops
            return state.drops.text
        }
    }

    private func log() async throws -> any EventStore {
        if let opened = opened.load() { return opened.log }
        return try await withCheckedThrowingContinuation { continuation in
            let result: Result<any EventStore, any Error>? = state.withLock { state in
                // The opening resumes waiting callers after that.
                if let opened = opened.load() { return .success(opened.log) }
                if let failure = state.failure { return .failure(failure) }
                state.waiting.append(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    // MARK: Without waiting

    var installID: String { opened.load()?.log.installID ?? "" }
    var newest: EventRecord? { opened.load()?.log.newest }
    var durability: Durability { opened.load()?.log.durability ?? .buffered }
    var backgroundTime: any BackgroundTime { opened.load()?.log.backgroundTime ?? initialTime }
    var consentGeneration: UInt64 { opened.load()?.log.consentGeneration ?? 0 }

    func consent(of userID: String) -> Consent? {
        guard let log = opened.load()?.log else { return .unknown }
        return log.consent(of: userID)
    }

    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        guard let log = opened.load()?.log else { return .failure(EventDropped(.notOpen)) }
        return log.append(lineCapacity: lineCapacity, priority: priority, fill)
    }

    func recordDrop(_ reason: DropReason, at time: EventTime?) {
        if let log = opened.load()?.log { return log.recordDrop(reason, at: time) }
        let (isStored, log) = state.withLock { state -> (Bool, (any EventStore)?) in
            // The opening takes the drops under the lock.
            if let log = opened.load()?.log { return (false, log) }
            state.drops.count(reason, at: time)
            return (state.hasFormerDrops, nil)
        }
        log?.recordDrop(reason, at: time)
        if isStored { save() }
    }

    // MARK: Waiting

    func commit() async throws { try await log().commit() }
    func flushToDisk() async throws { try await log().flushToDisk() }
    func syncStored() async throws -> Int64 { try await log().syncStored() }
    func cursor(of consumer: String) async throws -> ConsumerCursor { try await log().cursor(of: consumer) }

    func beginDelivery(to consumer: String, lasting: Duration, at now: EventTime) async throws -> DeliveryLease? {
        try await log().beginDelivery(to: consumer, lasting: lasting, at: now)
    }

    func nextBatch(_ lease: DeliveryLease, through end: Int64, lasting: Duration) async throws -> EventBatch? {
        try await log().nextBatch(lease, through: end, lasting: lasting)
    }

    func settle(
        _ lease: DeliveryLease, batch: String, _ result: DeliveryResult, pause: DeliveryPause?
    ) async throws -> SettledBatch? {
        try await log().settle(lease, batch: batch, result, pause: pause)
    }

    func endDelivery(_ lease: DeliveryLease) async throws { try await log().endDelivery(lease) }

    func setConsent(_ consent: Consent, of userIDs: [String]) async throws {
        try await log().setConsent(consent, of: userIDs)
    }

    func requireConsent(of userID: String) {
        let log = state.withLock { state in
            if let log = opened.load()?.log { return log as (any EventStore)? }
            state.newUsers.append(userID)
            return nil
        }
        log?.requireConsent(of: userID)
    }

    func read(after seq: Int64, maximumCount: Int, maximumBytes: Int) async throws -> [EventRecord] {
        try await log().read(after: seq, maximumCount: maximumCount, maximumBytes: maximumBytes)
    }

    func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?) async throws {
        try await log().acknowledge(cursor, refused: refused)
    }

    func rewind(_ consumer: String, to seq: Int64) async throws { try await log().rewind(consumer, to: seq) }
    func discardUndelivered(of userID: String) async throws { try await log().discardUndelivered(of: userID) }
    func prune(now: EventTime) async throws { try await log().prune(now: now) }
    func statistics() async throws -> EventLogStatistics { try await log().statistics() }
    func ledger() async throws -> [LedgerEntry] { try await log().ledger() }
    func close() async throws { try await log().close() }
}
