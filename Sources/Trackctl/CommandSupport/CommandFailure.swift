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

    /// The same failure, and what a person does to go on.
    package func advising(_ advice: String) -> CommandFailure { CommandFailure(status, "\(message); \(advice)") }
}
