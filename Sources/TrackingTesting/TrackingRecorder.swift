internal import Locking
public import Tracking

/// Records what a mock environment does, in order, and holds the parts that a test turns.
///
/// ```swift
/// let recorder = TrackingRecorder()
/// let environment = TrackingEnvironment<AppRoute>.mock(recording: recorder)
/// AppLifeCycle(environment).didBecomeActive()
/// #expect(recorder.fired == [FiredEvent(.launch)])
/// ```
///
/// Everything happens in the call that causes it: there is nothing to wait for. Any thread.
public final class TrackingRecorder: Sendable {
    /// The clock of the environment; it stands until it is moved.
    public let clock: ManualTrackingClock
    /// The log of the environment.
    public let log: InMemoryEventStore
    /// The key-value storage of the environment.
    public let storage: InMemoryKeyValueStorage

    private struct Content {
        var containers: [TrackingContainer] = []
        var diagnostics: [TrackingDiagnostic] = []
        var subscriptions: [FluxSubscription] = []
    }

    private let content = Locked(Content())

    /// Makes a recorder with a log and a storage of its own, both empty.
    ///
    /// - Parameter now: Where its clock stands; 2018-09-12T11:54:07Z unless said otherwise.
    public init(now: EventTime = EventTime(seconds: 1_536_753_247)) {
        clock = ManualTrackingClock(now)
        log = InMemoryEventStore(installID: SequentialTrackingIDs.uuid(kind: 1, number: 1))
        storage = InMemoryKeyValueStorage()
    }

    /// Every container that was dispatched, in order.
    public var containers: [TrackingContainer] { content.withLock { $0.containers } }

    /// Every event that fired, in order.
    public var fired: [FiredEvent] { containers.map { FiredEvent(container: $0) } }

    /// Everything the SDK could not do, in order: drops, for instance.
    public var diagnostics: [TrackingDiagnostic] { content.withLock { $0.diagnostics } }

    func record(_ diagnostic: TrackingDiagnostic) {
        content.withLock { $0.diagnostics.append(diagnostic) }
    }

    func attach(to dispatcher: FluxDispatcher<TrackingContainer>) {
        let subscription = dispatcher.subscribe { [weak self] container in
            self?.content.withLock { $0.containers.append(container) }
        }
        content.withLock { $0.subscriptions.append(subscription) }
    }
}
