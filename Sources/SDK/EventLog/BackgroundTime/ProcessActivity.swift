#if os(macOS) || APPLE_STUBS
    internal import Foundation
    internal import Primitives

    #if APPLE_STUBS
        internal import AppleFoundation
    #endif

    /// An activity of a Mac's process: while it lasts, the process is not slowed down by App Nap and not terminated without warning.
    final class ProcessActivity: BackgroundAssertion {
        private struct Token: @unchecked Sendable {  // an opaque object that is only handed back
            let object: any NSObjectProtocol
        }

        private let token: Locked<Token?>

        init(_ name: String) {
            token = Locked(
                Token(
                    object: ProcessInfo.processInfo.beginActivity(
                        options: [.background, .suddenTerminationDisabled, .automaticTerminationDisabled],
                        reason: name)))
        }

        func end() {
            let token = self.token.withLock { token in
                defer { token = nil }
                return token
            }
            if let token { ProcessInfo.processInfo.endActivity(token.object) }
        }
    }
#endif
