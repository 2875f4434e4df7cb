#if canImport(SwiftUI)
    public import SwiftUI

    extension View {
        /// Sends `launch` and `background` as the scene's phase changes.
        public func trackingScenePhase(_ phase: ScenePhase, with tracking: TrackingModel) -> some View {
            onChange(of: phase, initial: true) { _, phase in
                switch phase {
                case .active: tracking.take(.becameActive)
                case .background: tracking.take(.enteredBackground)
                default: break
                }
            }
        }
    }
#endif
