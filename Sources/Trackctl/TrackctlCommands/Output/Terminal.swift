internal import Foundation

/// The terminal that standard output goes to, if it does.
enum Terminal {
    /// Whether standard output is a terminal.
    static let isOutput = isatty(STDOUT_FILENO) == 1

    /// How many columns it has; nil if standard output is none.
    static var columns: Int? {
        guard isOutput else { return nil }
        if let text = ProcessInfo.processInfo.environment["COLUMNS"], let columns = Int(text), columns > 0 {
            return columns
        }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether colours may be written: as asked for, else on a terminal that can show them, unless `NO_COLOR` is set to
    /// anything (<https://no-color.org>).
    static func takesColors(_ choice: Bool?) -> Bool {
        if let choice { return choice }
        let environment = ProcessInfo.processInfo.environment
        return isOutput && environment["NO_COLOR"]?.isEmpty != false && environment["TERM"] != "dumb"
    }
}
