#if (canImport(Darwin) && !os(macOS)) || APPLE_STUBS
    internal import Dispatch
    internal import Foundation
    internal import Primitives

    #if APPLE_STUBS
        internal import AppleFoundation
    #endif

    /// An activity of `ProcessInfo`. The system suspends the process only after the activity's block has returned, so
    /// the block waits for ``end()`` on a thread of the system.
    final class ExpiringActivity: BackgroundAssertion {
        private enum State {
            /// The system has not called the block yet.
            case asked
            case granted
            case refused
            /// ``begin(_:onExpiry:)`` returned before the system called the block.
            case assumed
        }

        /// How long the caller waits for the block. The system usually calls the block immediately. If it does not, the
        /// caller must not hang: the caller is often the main thread.
        private static let patience = DispatchTimeInterval.milliseconds(100)

        private let state = Locked(State.asked)
        private let answered = DispatchSemaphore(value: 0)
        private let hasEnded = Locked(false)
        private let ended = DispatchSemaphore(value: 0)

        private init() {}

        static func begin(_ name: String, onExpiry: @escaping @Sendable () -> Void) -> ExpiringActivity? {
            let activity = ExpiringActivity()
            ProcessInfo.processInfo.performExpiringActivity(withReason: name) { isExpired in
                if isExpired { activity.expire(onExpiry) } else { activity.hold() }
            }
            _ = activity.answered.wait(timeout: .now() + patience)
            let state = activity.state.withLock { state in
                if state == .asked { state = .assumed }
                return state
            }
            return state == .refused ? nil : activity
        }

        /// Handles the block's first call, when time was granted.
        private func hold() {
            state.withLock { $0 = .granted }
            answered.signal()
            ended.wait()
        }

        /// Handles the block's second call while the first still waits, or its only call if no time was granted.
        private func expire(_ onExpiry: () -> Void) {
            let isRefused = state.withLock { state in
                guard state == .asked else { return false }
                state = .refused
                return true
            }
            if isRefused { answered.signal() } else { onExpiry() }
        }

        func end() {
            let isFirst = hasEnded.withLock { hasEnded in
                defer { hasEnded = true }
                return !hasEnded
            }
            if isFirst { ended.signal() }
        }
    }
#endif
