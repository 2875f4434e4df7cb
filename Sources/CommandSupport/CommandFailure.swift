internal import EventLog
internal import LogFiles

/// Why a command ends without having done all of its job: a message for people and a status for scripts.
public struct CommandFailure: Error, Equatable, Sendable {
    /// What happened and what to do.
    public let message: String
    /// The status to exit with.
    public let status: ExitStatus

    /// Makes a failure.
    public init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Any error as a failure of a command.
    public init(_ error: any Error) {
        switch error {
        case let error as CommandFailure: self = error
        case let error as EventLogError: self.init(ExitStatus(error.code), error.message)
        case let error as LogFileError: self.init(ExitStatus(error.code), error.description)
        default: self.init(.io, "\(error)")
        }
    }
}

/// How a command ended, in the numbers of sysexits(3).
public struct ExitStatus: Equatable, Sendable {
    /// The number.
    public let code: Int32

    /// The command line is wrong.
    public static let usage = ExitStatus(code: 64)
    /// The data is at fault.
    public static let data = ExitStatus(code: 65)
    /// There is no such input.
    public static let noInput = ExitStatus(code: 66)
    /// Reading or writing failed.
    public static let io = ExitStatus(code: 74)
    /// Somebody else is at it; try again.
    public static let busy = ExitStatus(code: 75)

    private init(code: Int32) { self.code = code }

    init(_ code: EventLogError.Code) {
        switch code {
        case .notFound: self = .noInput
        case .notAnEventLog, .newerVersion, .corrupt: self = .data
        case .inUse: self = .busy
        default: self = .io
        }
    }

    init(_ code: LogFileError.Code) {
        switch code {
        case .notFound: self = .noInput
        case .cannotRead: self = .io
        case .damagedGzip: self = .data
        }
    }
}
