public import Testing
public import TrackingCore

extension TrackingRecorder {
    /// Expects exactly these events, in this order, and nothing else since the last expectation.
    ///
    /// ```swift
    /// recorder.expect(.launch, .search(query: "flux", page: 1))
    /// recorder.expect()  // nothing more fired
    /// ```
    ///
    /// Among more than six events, literals of an app's own types need their type: `.productViewed(id: ProductID("42"))`. Or
    /// give them as a list.
    ///
    /// A failure shows the difference line by line at the caller's line.
    public func expect<each Event: TrackingEvent>(
        _ events: repeat each Event, sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(
            .exactly(Self.patterns(repeat each events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column)
        )
    }

    /// The same for a list that a test computes.
    public func expect(
        contentsOf events: [any TrackingEvent], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(
            .exactly(Self.patterns(contentsOf: events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column)
        )
    }

    /// Expects exactly events that these patterns take, in this order, and nothing else since the last expectation.
    public func expect(
        matching patterns: EventPattern..., sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(.exactly(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// The same for a list that a test computes.
    public func expect(
        matching patterns: [EventPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(.exactly(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects exactly these events, in this order, and nothing else, while an action runs. What fired before is for other
    /// expectations.
    ///
    /// ```swift
    /// recorder.expect(.search(query: "flux", page: 1)) { screen.searchButtonTapped() }
    /// ```
    ///
    /// - Returns: What the action returns.
    @discardableResult
    public func expect<each Event: TrackingEvent, Result>(
        _ events: repeat each Event, sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .exactly(Self.patterns(repeat each events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// The same while an action runs that waits for something.
    @discardableResult
    public func expect<each Event: TrackingEvent, Result>(
        _ events: repeat each Event, isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .exactly(Self.patterns(repeat each events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), isolation: isolation, during: action)
    }

    /// Expects exactly events that these patterns take, in this order, and nothing else, while an action runs.
    ///
    /// - Returns: What the action returns.
    @discardableResult
    public func expect<Result>(
        matching first: EventPattern, _ others: EventPattern..., sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .exactly([first] + others), at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action
        )
    }

    /// The same while an action runs that waits for something.
    @discardableResult
    public func expect<Result>(
        matching first: EventPattern, _ others: EventPattern..., isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .exactly([first] + others), at: CodeLocation(sourceLocation, fileID, filePath, line, column),
            isolation: isolation, during: action)
    }

    /// Expects that no event fired, and none was dropped, that no expectation has asserted.
    public func expectNothingElse(
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        expectNothingElse(at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }
}
