// `import TrackingTesting` includes the plan that a recorder checks events against, and its violations.
@_exported public import TrackingPlan
@_exported public import TrackingValidation
