// `import TrackingHTTP` includes everything that an app needs.
@_exported public import DeliveryHTTP
@_exported public import TrackingCore
