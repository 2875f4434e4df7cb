// What an app author types daily comes with `import Tracking` alone.
@_exported public import EventLog
@_exported public import EventModel
@_exported public import Flux
@_exported public import JSONLines
