internal import Foundation
internal import Primitives

package struct CommandFailure: Error {
    /// The exit status of the process.
    package let status: ExitStatus
    /// What failed, on what, and what to do, in one line.
    package let message: String

    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Wraps any error of the layers below with its exit status.
    package init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as any LayerError: self.init(ExitStatus(error.category), error.message)
        case let error as CocoaError: self.init(.inputOutput, error.localizedDescription)
        default: self.init(.software, "internal error: \(error); please report it")
        }
    }

    /// Runs `work`; if a signal interrupts it, adds `advice` on how to continue to the failure's message.
    ///
    /// - Throws: Everything that `work` throws.
    package static func advising<Result>(
        ifInterrupted advice: @autoclosure () -> String, _ work: () throws -> Result
    ) throws -> Result {
        do { return try work() } catch let error as any LayerError where error.category == .interrupted {
            throw CommandFailure(error).advising(advice())
        }
    }

    /// The same failure, with advice on how to continue.
    package func advising(_ advice: String) -> CommandFailure { CommandFailure(status, "\(message); \(advice)") }
}
