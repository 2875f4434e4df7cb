// `import TrackingCore` brings what its declarations mention.
@_exported public import EventLog
@_exported public import EventModel
@_exported public import Flux
@_exported public import JSONLines
