public import Testing
public import TrackingCore

extension TrackingRecorder {
    /// Expects these events, in this order. Other events may fire in between, and stay unasserted.
    public func expectAtLeast<each Event: TrackingEvent>(
        _ events: repeat each Event, sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(
            .atLeast(Self.patterns(repeat each events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column)
        )
    }

    /// Expects these events during an action, in this order. Other events may fire in between, and stay unasserted.
    /// Ignores earlier events.
    ///
    /// - Returns: The action's result.
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

    /// Expects these events during an async action, in this order. Other events may fire in between, and stay
    /// unasserted. Ignores earlier events.
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

    /// Expects the events of a computed list, in this order. Other events may fire in between, and stay unasserted.
    public func expectAtLeast(
        contentsOf events: [any TrackingEvent], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(
            .atLeast(Self.patterns(contentsOf: events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column)
        )
    }

    /// Expects the events of a computed list during an action, in this order. Other events may fire in between, and
    /// stay unasserted. Ignores earlier events.
    ///
    /// - Returns: The action's result.
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

    /// Expects the events of a computed list during an async action, in this order. Other events may fire in between,
    /// and stay unasserted. Ignores earlier events.
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

    /// Expects events that match these patterns, in this order. Other events may fire in between, and stay unasserted.
    public func expectAtLeast(
        matching patterns: EventPattern..., sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(.atLeast(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects events that match these patterns, in this order. Other events may fire in between, and stay unasserted.
    public func expectAtLeast(
        matching patterns: [EventPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(.atLeast(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects events that match these patterns during an action, in this order. Other events may fire in between, and
    /// stay unasserted. Ignores earlier events.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expectAtLeast<Result>(
        matching patterns: [EventPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(.atLeast(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// Expects events that match these patterns during an async action, in this order. Other events may fire in
    /// between, and stay unasserted. Ignores earlier events.
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

    /// Expects events that match these patterns during an action, in this order, with any others in between. Ignores
    /// earlier events.
    ///
    /// - Returns: The action's result.
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

    /// Expects events that match these patterns during an async action, in this order, with any others in between.
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
