extension ReservedType {
    /// The public types of `import Tracking`.
    static let tracking = """
        ActionCreator ActionRecorder Background BackgroundAssertion BackgroundTime BootTime BorrowedEvent ClockReading
        Consent ConsentAnswer ConsentChange ConsentChoice ConsentPerson ConsentPolicy ConsentRecord ConsentScope
        ConsentStatus ConsentSubject ConsumerCursor DeadLetter DeadLetterLimits DeliveryLease DeliveryPause
        DeliveryRegistry DeliveryResult DeliveryWatch DeviceAction DeviceActionCreator DeviceDomain DeviceLockedError
        DeviceState DropReason Durability EnvironmentRecording ErasureAnswer ErasureRequest ErasureResult EventBatch
        EventDropped EventFlusher EventID EventLimits EventLogError EventLogReader EventLogStatistics EventOrigin
        EventPriority EventRecord EventStamp EventStore EventTime EventVerdict ExtensionLifeCycle FileKeyValueStorage
        FileProtection FileQuota FileRotation FlushPolicy FluxDispatcher FluxDomain FluxStore FluxSubscription
        ForwardingEventStore InMemoryEventStore InMemoryKeyValueStorage JSONEncodingError JSONLineEncoder
        JSONLineWritable JSONLinesFileSink JSONParser JSONSyntaxError JSONValue JSONWriter KeyValueStorage Launch
        LeaseToken LedgerEntry LifeCycleObserver LineSplitter LogIdentity MissingNumbers NotAContainer
        NotificationResponse NumberedConsentChange PageView Purpose RandomTrackingIDs RecordedContainer RecordedEvent
        RecordingError Redaction ReplayResult Retention RouteActionCreator RouteCommand RouteDomain RouteState
        SQLiteEventStore SchemaVersion SendingLimit SessionRule SessionStart SettledBatch SignatureVerifier Sink
        SinkConflict SinkLoss StandardOutputSink SwitchesError SystemBackgroundTime SystemDiagnostics
        SystemTrackingClock TextPattern Tracker TrackingActionCreator TrackingClock TrackingConfiguration
        TrackingContainer TrackingContext TrackingDelivery TrackingDiagnostic TrackingDomain TrackingEnvironment
        TrackingEvent TrackingEventError TrackingIDs TrackingPage TrackingReceipt TrackingState TrackingSwitches
        UnplannedEvents UserTracker
        """

    /// The additional public types of `import TrackingDomainEvents`.
    static let trackingDomainEvents = """
        Search
        """

    /// The additional public types of `import TrackingHTTP`.
    static let trackingHTTP = """
        DeliveryField DeliveryRequest DeliveryResponse DeliverySetupError DeliveryTransport DeliveryTransportError HTTPSink
        SystemDeliveryTransport URLSessionTransport
        """

    /// The public types of `import TrackingTesting`.
    static let trackingTesting = """
        AsyncDoubleHandler AsyncDoubleMethod CodeLocation CompiledPlan DoubleFailure DoubleHandler DoubleMember
        DoubleMethod EventPattern EventPlan EventSender EventSet EventValidation EventViolation Exhaustivity FakeEvent
        FakeEvents FakeValues FiredEvent FiringMatrix HandedOver LineChecker LineFinding LineResult ManualTrackingClock
        NonescapingClosure ObservedValues PlanError PlanFile PlanFolder PlanSchema PlannedPage PlannedPages RecordedStep
        SequentialTrackingIDs SnapshotMask StateRecorder StepPattern TestDouble TrackingRecorder
        """

    /// The types of Swift Testing that tests use.
    static let testing = """
        Attachable AttachableWrapper Attachment Bug Comment ConditionTrait Confirmation CustomTestArgumentEncodable
        CustomTestStringConvertible ExitStatus ExitTest Expectation ExpectationFailedError Issue IssueHandlingTrait
        KnownIssueMatcher ParallelizationTrait SourceLocation Suite SuiteTrait Tag Test TestScoping TestTrait
        TimeLimitTrait Trait
        """

    /// The types of XCTest that tests use or whose names conflict.
    static let xcTest = """
        XCTSkip XCTWaiter XCTestCase XCTestExpectation XCTestSuite
        """

    /// The imported modules. A type with the name of a module hides the module, so that `Foundation.Data` no longer
    /// resolves.
    static let modules = """
        AppKit Combine CoreData CoreGraphics Darwin DeliveryHTTP Dispatch EventLog EventModel Flux Foundation
        FoundationEssentials FoundationNetworking Glibc JSONLines Musl Observation Swift SwiftUI Synchronization
        Testing Tracking TrackingCore TrackingCrypto TrackingDomainEvents TrackingHTTP TrackingLifeCycle TrackingPlan
        TrackingTesting TrackingValidation UIKit XCTest
        """
}
