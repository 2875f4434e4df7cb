/// What a check has found, good or bad, and what to do about it.
package struct Finding: Sendable {
    /// How bad it is.
    package enum Severity: String, Comparable, CaseIterable, Sendable {
        /// All is well.
        case ok
        /// Worth knowing; nothing needs to be done.
        case note
        /// Something should be done.
        case warning
        /// Something is damaged or missing.
        case error

        /// Orders by badness.
        package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// Which check it was.
    package let check: Check
    /// How bad it is.
    package let severity: Severity
    /// The file or folder that it is about.
    package let place: String
    /// What was found, with its numbers.
    package let message: String
    /// What to do about it; nil if there is nothing to do.
    package let advice: String?
    /// The numbers by name, for programs.
    package let numbers: [String: Int64]
    /// What ``LogRepair`` does about it; nil if that can do nothing.
    package let remedy: Remedy?

    init(
        _ check: Check, _ severity: Severity, _ place: String, _ message: String, advice: String? = nil,
        numbers: [String: Int64] = [:], remedy: Remedy? = nil
    ) {
        self.check = check
        self.severity = severity
        self.place = place
        self.message = message
        self.advice = advice
        self.numbers = numbers
        self.remedy = remedy
    }
}

/// What can be done about a finding without losing anything.
package enum Remedy: Hashable, Sendable {
    /// Opening the log once: its journals are moved, and what is damaged in it salvaged and put aside.
    case openLog(database: String)
    /// The same, after the whole structure has been looked through.
    case salvage(database: String)
    /// Cutting what stands behind the last line feed of a file, into a file of its own.
    case cutTornLine(file: String)
    /// Adding the line feed that a whole last line lacks.
    case endLastLine(file: LineFile)
    /// Giving a file another name, beside the file that it is an unfinished copy of.
    case setAside(file: String)
}
