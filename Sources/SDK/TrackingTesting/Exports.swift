// The plan that a recorder checks events against, and what it finds, come with `import TrackingTesting` alone.
@_exported public import TrackingPlan
@_exported public import TrackingValidation
