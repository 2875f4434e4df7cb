public import Flux

/// The Tracking triple.
public typealias TrackingDomain = FluxDomain<TrackingActionCreator, TrackingState>
