internal import Foundation

/// How a process ended.
struct CommandExit: Sendable {
    let code: Int32
    let signal: Int32?

    init(_ process: Process) {
        let wasKilled = process.terminationReason == .uncaughtSignal
        code = wasKilled ? 0 : process.terminationStatus
        signal = wasKilled ? process.terminationStatus : nil
    }
}
