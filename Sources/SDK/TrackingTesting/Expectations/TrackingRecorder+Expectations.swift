public import Testing
public import TrackingCore

extension TrackingRecorder {
    /// Expects exactly these events since the last expectation, in this order.
    ///
    /// ```swift
    /// recorder.expect(.launch, .search(query: "flux", page: 1))
    /// recorder.expect()  // no further event fired
    /// recorder.expect(.launch, by: "customer-4711")
    /// ```
    ///
    /// An event that waits for the answer of its person is not delivered: it fails the expectation, see
    /// ``expectHeld(_:for:by:sourceLocation:fileID:filePath:line:column:)``.
    ///
    /// With more than six events, spell out your own types instead of literals: write `.productViewed(id:
    /// ProductID("42"))`, not `.productViewed(id: "42")`. Or pass the events as a list.
    ///
    /// A failure shows a line diff at the calling line.
    public func expect<each Event: TrackingEvent>(
        _ events: repeat each Event, by sender: EventSender? = nil, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(
            .exactly(Self.patterns(repeat each events).by(sender)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column)
        )
    }

    /// Expects exactly the events of a computed list since the last expectation, in this order.
    public func expect(
        contentsOf events: [any TrackingEvent], by sender: EventSender? = nil, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(
            .exactly(Self.patterns(contentsOf: events).by(sender)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column)
        )
    }

    /// Expects that the events since the last expectation match exactly these patterns, in this order.
    public func expect(
        matching patterns: EventPattern..., sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(.exactly(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects that the events since the last expectation match exactly a computed list of patterns, in this order.
    public func expect(
        matching patterns: [EventPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(.exactly(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects exactly these events during an action, in this order. Ignores earlier events.
    ///
    /// ```swift
    /// recorder.expect(.search(query: "flux", page: 1)) { screen.searchButtonTapped() }
    /// ```
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expect<each Event: TrackingEvent, Result>(
        _ events: repeat each Event, by sender: EventSender? = nil, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .exactly(Self.patterns(repeat each events).by(sender)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// Expects exactly these events during an async action, in this order. Ignores earlier events.
    @discardableResult
    public func expect<each Event: TrackingEvent, Result>(
        _ events: repeat each Event, by sender: EventSender? = nil, isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .exactly(Self.patterns(repeat each events).by(sender)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), isolation: isolation, during: action)
    }

    /// Expects that the events during an action match exactly these patterns, in this order.
    ///
    /// - Returns: The action's result.
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

    /// Expects that the events during an async action match exactly these patterns, in this order. Ignores earlier
    /// events.
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

    /// Expects that all events and drops were asserted.
    public func expectNothingElse(
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        expectNothingElse(at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }
}
