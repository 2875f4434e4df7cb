// A validation requires a plan.
@_exported public import TrackingPlan
