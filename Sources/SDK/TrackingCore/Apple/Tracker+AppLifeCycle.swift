#if canImport(UIKit) && !os(watchOS)
    internal import Flux
    public import Foundation
    internal import UIKit

    extension Tracker {
        /// Sends `launch` and `background` when the app becomes active and enters the background.
        ///
        /// - Returns: The token that keeps it going: dropping or cancelling it ends it.
        @MainActor
        public func followAppLifeCycle(of center: NotificationCenter) -> FluxSubscription {
            let active = center.addObserver(
                forName: UIApplication.didBecomeActiveNotification, object: nil, queue: nil
            ) { _ in take(.becameActive) }
            let background = center.addObserver(
                forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
            ) { _ in take(.enteredBackground) }
            nonisolated(unsafe) let observers = [active, background]  // removing is thread-safe by its documentation
            return FluxSubscription { for observer in observers { center.removeObserver(observer) } }
        }
    }
#endif

#if canImport(SwiftUI)
    public import SwiftUI

    extension View {
        /// Sends `launch` and `background` as the scene's phase changes.
        public func trackingScenePhase(_ phase: ScenePhase, with tracking: Tracker) -> some View {
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
