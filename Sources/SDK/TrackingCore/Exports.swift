// `import TrackingCore` also imports the modules that its declarations use.
@_exported public import EventLog
@_exported public import EventModel
@_exported public import Flux
@_exported public import JSONLines
