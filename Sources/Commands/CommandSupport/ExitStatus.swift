package import Primitives

/// The exit code of a run. The numbers from 64 on follow sysexits(3).
package enum ExitStatus: Int32 {
    case ok = 0
    /// The command ran and found what it checks for: a failed check.
    case findings = 1
    /// Some of the work was done: the target rejected some events.
    case partly = 2
    /// Wrong usage: arguments or options are invalid.
    case usage = 64
    /// An input is invalid.
    case dataError = 65
    /// The input does not exist.
    case noInput = 66
    /// The server does not respond.
    case unavailable = 69
    /// Internal error.
    case software = 70
    /// A file cannot be read or written, or the disk is full.
    case inputOutput = 74
    /// Another process writes the log; try again later.
    case busy = 75
    /// A signal interrupted the command: 128 plus the number of SIGINT, as in shells.
    case interrupted = 130
}

extension ExitStatus {
    /// The sentence about exit codes in a program's help.
    package static func list(_ meanings: KeyValuePairs<ExitStatus, String>) -> String {
        "Exit codes: " + meanings.map { "\($0.rawValue) \($1)" }.joined(separator: "; ") + "."
    }

    /// The exit status for an error of a layer below. Each layer's error derives its category from its code; see
    /// `LayerError`.
    ///
    /// Other errors get their status elsewhere: `CommandFailure(any Error)` maps file errors of the system to 74 and
    /// unknown errors to 70; `Trackctl` maps ArgumentParser's errors to 64; commands exit with 1 or 65 after they
    /// have reported findings line by line.
    package init(_ category: ErrorCategory) {
        self =
            switch category {
            case .partial: .partly
            case .usage: .usage
            case .invalidInput: .dataError
            case .notFound: .noInput
            case .unavailable: .unavailable
            case .inputOutput: .inputOutput
            case .busy: .busy
            case .interrupted: .interrupted
            }
    }
}
