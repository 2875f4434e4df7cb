internal import CommandSupport
internal import LogCare

/// What `trackctl doctor` found out about one input.
struct ExaminedLog {
    /// The input as it was named.
    let path: String
    /// What there is, after any repair.
    let findings: [Finding]
    /// What was done, or would be.
    let steps: [RepairStep]
    /// Why it was not examined or repaired to the end; nil if it was.
    let failure: CommandFailure?

    /// The worst of it.
    var severity: Finding.Severity { failure == nil ? findings.map(\.severity).max() ?? .ok : .error }
}
