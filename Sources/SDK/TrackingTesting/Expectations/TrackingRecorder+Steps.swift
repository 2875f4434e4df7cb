extension TrackingRecorder {
    /// Expects exactly these steps of all domains, in this order, and nothing else since the last exact expectation: that a
    /// route command comes before its screen's page view, for instance.
    public func expectSteps(
        _ patterns: StepPattern..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        expectSteps(patterns, from: 0, at: SourcePlace(fileID, filePath, line, column))
    }

    /// The same for a list that a test computes.
    public func expectSteps(
        _ patterns: [StepPattern], fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        expectSteps(patterns, from: 0, at: SourcePlace(fileID, filePath, line, column))
    }

    /// Expects exactly these steps while an action runs. What was before is for other expectations.
    ///
    /// - Returns: What the action returns.
    @discardableResult
    public func expectSteps<Result>(
        _ patterns: StepPattern..., fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, during action: () throws -> Result
    ) rethrows -> Result {
        let start = stepCount
        let result = try action()
        expectSteps(patterns, from: start, at: SourcePlace(fileID, filePath, line, column))
        return result
    }

    /// The same while an action runs that waits for something.
    @discardableResult
    public func expectSteps<Result>(
        _ patterns: StepPattern..., isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        let start = stepCount
        let result = try await action()
        expectSteps(patterns, from: start, at: SourcePlace(fileID, filePath, line, column))
        return result
    }
}
