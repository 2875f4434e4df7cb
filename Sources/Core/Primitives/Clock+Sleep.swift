extension Clock where Duration == Swift.Duration {
    /// Sleeps for a duration, or until the task is cancelled.
    ///
    /// The only thing lost is the `CancellationError`, which adds nothing to the result.
    ///
    /// - Returns: False if the task was cancelled before the time was over.
    @discardableResult
    package func sleepUnlessCancelled(for duration: Duration) async -> Bool {
        do {
            try await sleep(for: duration, tolerance: nil)
            return true
        } catch { return false }
    }
}
