extension TrackingRecorder {
    /// Waits for an event that a pattern takes: of code under test that starts a task of its own and gives a test nothing to
    /// wait for. Returns at once if such an event has fired that no expectation has asserted. Asserts nothing.
    ///
    /// ```swift
    /// screen.reloadTapped()  // starts a task
    /// try await recorder.waitUntilFired(.any(ListLoaded.self))
    /// recorder.expect(.listLoaded(count: 3))
    /// ```
    ///
    /// It is resumed by the event itself, and has no time limit: give the test one by the trait `.timeLimit`, which cancels
    /// it.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before; that fails the test, with what was waited for.
    public func waitUntilFired(
        _ pattern: EventPattern, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) async throws {
        let wait = EventWait(pattern)
        begin(wait)
        // What fired before the wait began is looked at after, so that nothing slips between.
        if withSteps({ $0.unassertedEvents() }).contains(where: { pattern.matches($0.container) }) { end(wait) }
        do {
            try await withTaskCancellationHandler {
                try await wait.untilEnded()
            } onCancel: {
                end(wait, by: CancellationError())
            }
        } catch {
            fail(
                "the test was cancelled while it waited for \(pattern)", at: SourcePlace(fileID, filePath, line, column)
            )
            throw error
        }
    }
}
