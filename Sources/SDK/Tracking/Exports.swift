// The names that `import Tracking` re-exports. `tools/checks/surface` counts them.
//
// For other names, import their module: `TrackingCore` for the Flux layer, sinks and recordings, `EventLog` for the
// store.

@_exported public import enum EventLog.Consent
@_exported public import struct EventLog.ConsentPolicy
@_exported public import enum EventLog.DropReason
@_exported public import enum EventLog.Durability
@_exported public import struct EventLog.EventLogError
@_exported public import enum EventLog.EventPriority
@_exported public import struct EventModel.EventID
@_exported public import struct EventModel.EventTime
@_exported public import struct EventModel.Purpose
@_exported public import struct EventModel.SchemaVersion
@_exported public import enum JSONLines.JSONValue
@_exported public import struct JSONLines.JSONWriter
@_exported public import struct TrackingCore.Background
@_exported public import struct TrackingCore.FileRotation
@_exported public import struct TrackingCore.FlushPolicy
@_exported public import protocol TrackingCore.KeyValueStorage
@_exported public import struct TrackingCore.Launch
@_exported public import protocol TrackingCore.LifeCycleObserver
@_exported public import struct TrackingCore.NotificationResponse
@_exported public import struct TrackingCore.PageView
@_exported public import struct TrackingCore.SendingLimit
@_exported public import protocol TrackingCore.SignatureVerifier
@_exported public import protocol TrackingCore.Sink
@_exported public import struct TrackingCore.Tracker
@_exported public import protocol TrackingCore.TrackingClock
@_exported public import struct TrackingCore.TrackingContext
@_exported public import enum TrackingCore.TrackingDiagnostic
@_exported public import protocol TrackingCore.TrackingEvent
@_exported public import struct TrackingCore.TrackingEventError
@_exported public import protocol TrackingCore.TrackingIDs
@_exported public import protocol TrackingCore.TrackingPage
@_exported public import struct TrackingCore.TrackingReceipt
@_exported public import enum TrackingCore.UnplannedEvents
