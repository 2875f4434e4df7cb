internal import CollectorIntake
internal import CollectorReading
internal import CollectorStore
internal import DeliveryProtocol
internal import Foundation
internal import Logging
internal import NIOCore
internal import NIOPosix

/// A running collector: its store, keys, quotas and limits. Thread-safe.
final class Collector: Sendable {
    let settings: CollectorSettings
    let store: BatchStore
    let schemas: SchemaKeeper
    let intake: Intake
    let clients: ClientIntake
    /// The remote switches; nil if none are configured.
    let switches: SwitchesKeeper?
    let keys: KeyRing
    let eventQuotas: Quotas
    let byteQuotas: Quotas
    /// The rejected work of each address with a key.
    let rejected: EventQuota
    let known = KnownInstalls()
    let load: LoadLimits
    let turns = AllLoopTurns()
    /// Parse and convert what would block the event loops too long. At most half of the cores, which leaves the others
    /// to the SDK's batches.
    static let threads = SharedThreads(count: max(1, System.coreCount / 2))
    var threads: SharedThreads { Self.threads }
    let keyless: KeylessRequests
    let pendingAnswers: PendingAnswers
    let recent = RecentBatches()
    let advice = RetryAdvice()
    let metrics: CollectorMetrics
    let readiness: Readiness
    let erasures: PendingErasures
    let feed: RowFeed
    let statistics: ArrivalStatistics
    /// Forwards to JetStream; nil if the settings do not ask for it.
    let forwarding: (any Forwarding)?
    /// The tests of the app that assert events; nil if the settings name no file.
    let assertions: AssertedEvents?
    let sessions = AdminSessions()
    let date = HTTPDate()

    var logger: Logger { settings.logger }

    /// Runs work that blocks on another thread than those of requests.
    private static let onThreadPool: @Sendable (@escaping @Sendable () -> Void) async -> Void = { body in
        // The singleton pool never shuts down, so no work is lost.
        _ = try? await NIOThreadPool.singleton.runIfActive { body() }
    }

    /// Opens the data folder, and creates it if it does not exist.
    ///
    /// - Throws: ``StoreError``; `PlanError` for the folder of schemas; `ClientMappings.Invalid`.
    init(_ settings: CollectorSettings) throws {
        self.settings = settings
        schemas = try SchemaKeeper(folder: settings.schemas)
        try DataFolder.prepare(settings.folder)
        keys = try KeyRing(KeyFile(folder: settings.folder))
        let folder = settings.folder
        switches = try settings.switches.map { path throws(StoreError) in
            try SwitchesKeeper(path: path, folder: folder)
        }
        var options = settings.store
        // Other collectors may have the numbers that this one misses.
        if settings.forwarding != nil { options.requestsMissing = false }
        store = try BatchStore(folder: "\(settings.folder)/store", options: options)
        feed = RowFeed(store, schemas: schemas, blocking: Self.onThreadPool)
        let logger = settings.logger
        let plan = schemas
        statistics = try ArrivalStatistics(
            path: "\(settings.folder)/statistics.sqlite", store,
            planned: { plan.eventNames }, blocking: Self.onThreadPool
        ) { message in
            logger.error("\(message)")
        }
        let opened = store
        forwarding = try settings.forwarding.map { open throws(StoreError) in
            try open(opened, folder, logger)
        }
        assertions = settings.firingMatrix.map { AssertedEvents(path: $0) }
        let mappings = try ClientMappings(folder: settings.mappings)
        intake = Intake(
            schemas, limits: settings.limits, unknown: settings.unknownSchemas, reserved: mappings.namespaces)
        clients = ClientIntake(intake, mappings)
        eventQuotas = Quotas(key: settings.keyQuota, install: settings.installQuota)
        byteQuotas = Quotas(key: settings.keyQuota.inBytes, install: settings.installQuota.inBytes)
        rejected = EventQuota(settings.keyQuota.ofRejected)
        load = LoadLimits(requests: settings.maximumRequests, bytes: settings.maximumBodyBytes)
        keyless = KeylessRequests()
        pendingAnswers = PendingAnswers(bytes: settings.maximumAnswerBytes)
        metrics = CollectorMetrics(MetricRegistry())
        readiness = Readiness(folder: settings.folder, minimumFreeBytes: settings.minimumFreeBytes)
        erasures = PendingErasures(folder: settings.folder)
        if let problem = switches?.openingProblem {
            logger.error(
                "cannot load the switches; the last valid switches are served",
                metadata: ["error": "\(problem)"])
        }
        for finding in store.openingFindings {
            logger.log(
                level: finding.severity == .loss ? .error : finding.severity == .warning ? .warning : .notice,
                "\(finding.message)",
                metadata: ["subject": "\(finding.subject)", "finding": "\(finding.code.rawValue)"])
        }
    }

    /// The app of foreign messages: each collector numbers them itself, so behind several collectors each needs an
    /// install of its own.
    func foreignApp(_ app: String) -> String {
        forwarding == nil ? app : "\("\(store.collectorID)".prefix(8)):\(app)"
    }

    /// Forgets stored events that are in memory: they may be an erased user's.
    func forgetErased() {
        feed.forget()
        recent.removeAll()
    }

    /// Converts an error of the store to a problem, with the time to wait before a retry.
    func problem(_ error: StoreError) -> DeliveryProblem {
        let now = settings.now()
        switch error.code {
        case .overloaded:
            return DeliveryProblem(
                .unavailable, "too many requests are waiting for the disk; resend the batch later",
                retryAfter: advice.seconds(at: now))
        case .closed:
            return DeliveryProblem(
                .unavailable, "the collector is shutting down; resend the batch later",
                retryAfter: advice.seconds(at: now))
        case .tooMuchWork: return DeliveryProblem(.tooLarge, error.message)
        case .invalidSubmission:
            // Intake has checked what clients send.
            logger.error("\(error.message)", metadata: ["error": "\(error.code.rawValue)"])
            return DeliveryProblem(.internalError, "internal error; please report it")
        case .inUse, .cannotOpen, .newerVersion, .foreign, .diskFull, .writeFailed, .indexFailed, .damaged:
            readiness.failed(error.message, at: now)
            logger.error("\(error.message)", metadata: ["error": "\(error.code.rawValue)"])
            return DeliveryProblem(
                .unavailable, "the collector cannot store events now; resend the batch later",
                retryAfter: advice.seconds(at: now))
        }
    }
}
