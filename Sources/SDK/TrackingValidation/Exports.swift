// A plan is what a validation is made with.
@_exported public import TrackingPlan
