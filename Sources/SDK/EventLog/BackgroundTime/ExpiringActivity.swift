#if (canImport(Darwin) && !os(macOS)) || APPLE_STUBS
    internal import Dispatch
    internal import Foundation
    internal import Primitives

    #if APPLE_STUBS
        internal import AppleFoundation
    #endif

    /// An activity of `ProcessInfo`: the system suspends the process only when its block has returned, so the block waits
    /// for ``end()``, on a thread of the system's.
    final class ExpiringActivity: BackgroundAssertion {
        private enum State {
            /// The system has not called the block yet.
            case asked
            case granted
            case refused
            /// ``begin(_:onExpiry:)`` has returned without an answer.
            case assumed
        }

        /// The block is called immediately as a rule; the caller, often the main thread, must not hang if it is not.
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

        /// The block's first call, if there is time.
        private func hold() {
            state.withLock { $0 = .granted }
            answered.signal()
            ended.wait()
        }

        /// The block's second call, while the first one still waits; or its only one, if there is no time.
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
