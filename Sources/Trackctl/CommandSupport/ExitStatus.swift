package import Primitives

/// What a run ended with, in the numbers of sysexits(3).
package enum ExitStatus: Int32 {
    case ok = 0
    /// It was done, and what was looked for was found: a check that fails.
    case findings = 1
    /// A part of it was done: some events were refused by whoever should take them.
    case partly = 2
    /// The command was called in a wrong way.
    case usage = 64
    /// An input was read and is at fault.
    case dataError = 65
    /// There is no such input.
    case noInput = 66
    /// What events are sent to does not answer.
    case unavailable = 69
    /// A fault of the program itself.
    case software = 70
    /// A file cannot be read or written, or the disk is full.
    case inputOutput = 74
    /// Another process writes the log: trying again later can help.
    case busy = 75
    /// A signal ended it: 128 and the number of SIGINT, as shells say it.
    case interrupted = 130
}

extension ExitStatus {
    /// The exit status for an error of a layer below: the only place that says it. Each layer's error gives its category
    /// by its code; see `LayerError`.
    ///
    /// Three cases have no error of a layer: `CommandFailure(any Error)` makes 74 of the system's errors of files and 70 of
    /// any other; `Trackctl` makes 64 of what ArgumentParser rejects; a command ends with 1 or 65 for what it has reported
    /// line by line.
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
