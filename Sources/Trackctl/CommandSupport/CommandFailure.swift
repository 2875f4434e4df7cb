internal import Foundation
internal import Primitives

/// Why a command cannot do, or go on with, what it was asked for.
package struct CommandFailure: Error {
    /// What the process ends with.
    package let status: ExitStatus
    /// What happened and what to do, in a sentence.
    package let message: String

    /// Makes a failure.
    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Any error that the layers below throw, with its exit status.
    package init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as any LayerError: self.init(ExitStatus(error.category), error.message)
        case let error as CocoaError: self.init(.inputOutput, error.localizedDescription)
        default: self.init(.software, "this is a fault of the program, please report it: \(error)")
        }
    }

    /// Does some work; if a signal ends it, the failure says what a person does to go on.
    ///
    /// - Throws: What `work` throws.
    package static func advising<Result>(
        ifInterrupted advice: @autoclosure () -> String, _ work: () throws -> Result
    ) throws -> Result {
        do { return try work() } catch let error as any LayerError where error.category == .interrupted {
            throw CommandFailure(error).advising(advice())
        }
    }

    /// The same failure, and what a person does to go on.
    package func advising(_ advice: String) -> CommandFailure { CommandFailure(status, "\(message); \(advice)") }
}
