public import Foundation
internal import Synchronization

/// The requests to the stubbed system, and its responses, which a test controls.
public final class StubbedProcess: Sendable {
    public typealias Block = @Sendable (_ isExpired: Bool) -> Void

    private struct State {
        var isGranting = true
        var blocks: [(reason: String, block: Block)] = []
        var activities = 0
        var log: [String] = []
    }

    public static let shared = StubbedProcess()
    private let state = Mutex(State())

    private init() {}

    /// Whether an activity gets background time.
    public var isGranting: Bool {
        get { state.withLock { $0.isGranting } }
        set { state.withLock { $0.isGranting = newValue } }
    }

    /// The number of running blocks with a reason. Other tests use other reasons.
    public func runningBlocks(_ reason: String) -> Int {
        state.withLock { $0.blocks.count { $0.reason == reason } }
    }

    /// The current activities of the Mac.
    public var activities: Int { state.withLock { $0.activities } }

    /// The reasons of all activities, in order.
    public var reasons: [String] { state.withLock { $0.log } }

    /// Notifies the activities with a reason that their time is over, on another thread like the system.
    public func expire(_ reason: String) {
        for (_, block) in state.withLock({ $0.blocks.filter { $0.reason == reason } }) { block(true) }
    }

    fileprivate func begin(_ reason: String, _ block: @escaping Block) {
        let isGranted = state.withLock { state in
            state.log.append(reason)
            state.blocks.append((reason, block))
            return state.isGranting
        }
        Thread.detachNewThread {
            block(!isGranted)
            self.state.withLock { state in
                guard let ended = state.blocks.firstIndex(where: { $0.reason == reason }) else { return }
                state.blocks.remove(at: ended)
            }
        }
    }

    fileprivate func beginActivity(_ reason: String) {
        state.withLock { state in
            state.log.append(reason)
            state.activities += 1
        }
    }

    fileprivate func endActivity() { state.withLock { $0.activities -= 1 } }
}

extension ProcessInfo {
    /// <https://developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:)>
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        StubbedProcess.shared.begin(reason, block)
    }

    /// <https://developer.apple.com/documentation/foundation/processinfo/activityoptions>
    public struct ActivityOptions: OptionSet, Sendable {
        public let rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }

        /// <https://developer.apple.com/documentation/foundation/processinfo/activityoptions/background>
        public static let background = Self(rawValue: 0xFF)
        /// <https://developer.apple.com/documentation/foundation/processinfo/activityoptions/suddenterminationdisabled>
        public static let suddenTerminationDisabled = Self(rawValue: 1 << 14)
        /// <https://developer.apple.com/documentation/foundation/processinfo/activityoptions/automaticterminationdisabled>
        public static let automaticTerminationDisabled = Self(rawValue: 1 << 15)
    }

    /// <https://developer.apple.com/documentation/foundation/processinfo/beginactivity(options:reason:)>
    public func beginActivity(options: ActivityOptions = [], reason: String) -> any NSObjectProtocol {
        StubbedProcess.shared.beginActivity(reason)
        return NSObject()
    }

    /// <https://developer.apple.com/documentation/foundation/processinfo/endactivity(_:)>
    public func endActivity(_ activity: any NSObjectProtocol) { StubbedProcess.shared.endActivity() }
}
