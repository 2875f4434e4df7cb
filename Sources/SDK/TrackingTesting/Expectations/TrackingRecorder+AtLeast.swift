public import Testing
public import TrackingCore

extension TrackingRecorder {
    /// Expects these events, in this order; others may stand between them, and stay unasserted.
    public func expectAtLeast<each Event: TrackingEvent>(
        _ events: repeat each Event, sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(
            .atLeast(Self.patterns(repeat each events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column)
        )
    }

    /// The same while an action runs. What fired before is for other expectations.
    ///
    /// - Returns: What the action returns.
    @discardableResult
    public func expectAtLeast<each Event: TrackingEvent, Result>(
        _ events: repeat each Event, sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .atLeast(Self.patterns(repeat each events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// The same while an action runs that waits for something.
    @discardableResult
    public func expectAtLeast<each Event: TrackingEvent, Result>(
        _ events: repeat each Event, isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .atLeast(Self.patterns(repeat each events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), isolation: isolation, during: action)
    }

    /// Expects these events of a list that a test computes, in this order; others may stand between them, and stay unasserted.
    public func expectAtLeast(
        contentsOf events: [any TrackingEvent], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(
            .atLeast(Self.patterns(contentsOf: events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column)
        )
    }

    /// The same while an action runs. What fired before is for other expectations.
    ///
    /// - Returns: What the action returns.
    @discardableResult
    public func expectAtLeast<Result>(
        contentsOf events: [any TrackingEvent], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .atLeast(Self.patterns(contentsOf: events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// The same while an action runs that waits for something.
    @discardableResult
    public func expectAtLeast<Result>(
        contentsOf events: [any TrackingEvent], isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .atLeast(Self.patterns(contentsOf: events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), isolation: isolation, during: action)
    }

    /// Expects events that these patterns take, in this order; others may stand between them, and stay unasserted.
    public func expectAtLeast(
        matching patterns: EventPattern..., sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(.atLeast(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects events that these patterns take, in this order; others may stand between them, and stay unasserted.
    public func expectAtLeast(
        matching patterns: [EventPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(.atLeast(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// The same while an action runs. What fired before is for other expectations.
    ///
    /// - Returns: What the action returns.
    @discardableResult
    public func expectAtLeast<Result>(
        matching patterns: [EventPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(.atLeast(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// The same while an action runs that waits for something.
    @discardableResult
    public func expectAtLeast<Result>(
        matching patterns: [EventPattern], isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .atLeast(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column), isolation: isolation,
            during: action)
    }

    /// Expects events that these patterns take, in this order, with others between them, while an action runs. What fired before is for other expectations.
    ///
    /// - Returns: What the action returns.
    @discardableResult
    public func expectAtLeast<Result>(
        matching first: EventPattern, _ others: EventPattern..., sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .atLeast([first] + others), at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action
        )
    }

    /// Expects events that these patterns take, in this order, with others between them, while an action runs that waits for something.
    @discardableResult
    public func expectAtLeast<Result>(
        matching first: EventPattern, _ others: EventPattern..., isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .atLeast([first] + others), at: CodeLocation(sourceLocation, fileID, filePath, line, column),
            isolation: isolation, during: action)
    }
}
