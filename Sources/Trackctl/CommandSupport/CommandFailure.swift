internal import EventLog
internal import EventModel
internal import Foundation
internal import LogFiles

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
        case let error as EventLogError: self.init(Self.status(error.code), error.message)
        case let error as LogFileError: self.init(Self.status(error.code), error.message)
        case let error as CocoaError: self.init(.inputOutput, error.localizedDescription)
        default: self.init(.software, "this is a fault of the program, please report it: \(error)")
        }
    }

    private static func status(_ code: EventLogError.Code) -> ExitStatus {
        switch code {
        case .notFound: .noInput
        case .notAnEventLog, .newerVersion, .corrupt: .dataAtFault
        case .inUse: .busy
        default: .inputOutput
        }
    }

    private static func status(_ code: LogFileError.Code) -> ExitStatus {
        switch code {
        case .notFound: .noInput
        case .truncated, .corrupt, .isDatabase: .dataAtFault
        case .ambiguous: .usage
        default: .inputOutput
        }
    }
}
