#if os(macOS) || APPLE_STUBS
    internal import Foundation
    internal import Primitives

    #if APPLE_STUBS
        internal import AppleFoundation
    #endif

    /// An activity of a Mac process. While it lasts, App Nap does not slow the process down, and sudden termination is
    /// off.
    final class ProcessActivity: BackgroundAssertion {
        private struct Token: @unchecked Sendable {  // An opaque object that is only passed back.
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
