// What an app author needs comes with `import TrackingHTTP` alone.
@_exported public import DeliveryHTTP
@_exported public import TrackingCore
