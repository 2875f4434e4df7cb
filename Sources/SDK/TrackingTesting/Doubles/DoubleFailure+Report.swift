extension DoubleFailure {
    /// Makes the failure one of the test that runs.
    func report() { TestFailure.report(message, at: place) }
}
