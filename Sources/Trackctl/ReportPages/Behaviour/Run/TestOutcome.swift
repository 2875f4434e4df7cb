/// What became of a test in a run.
package enum TestOutcome: Hashable, Sendable {
    case passed
    /// An issue was recorded that nobody expected.
    case failed
    /// Only issues that the test says are known.
    case knownIssue
    /// It was disabled, or cancelled itself; with the reason, if one is given.
    case skipped(reason: String?)
    /// The run did not come to it.
    case notRun
}
