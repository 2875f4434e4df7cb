public import Testing
public import TrackingCore

extension TrackingRecorder {
    /// Expects a number of events since the last expectation that match the pattern, and asserts them.
    public func expectCount(
        _ count: Int, of pattern: EventPattern, sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(.count(count, of: [pattern]), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects a number of events during an action that match the pattern, and asserts them. Ignores earlier events.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expectCount<Result>(
        _ count: Int, of pattern: EventPattern, sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .count(count, of: [pattern]), at: CodeLocation(sourceLocation, fileID, filePath, line, column),
            during: action)
    }

    /// Expects a number of events during an async action that match the pattern, and asserts them. Ignores earlier
    /// events.
    @discardableResult
    public func expectCount<Result>(
        _ count: Int, of pattern: EventPattern, isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .count(count, of: [pattern]), at: CodeLocation(sourceLocation, fileID, filePath, line, column),
            isolation: isolation, during: action)
    }

    /// Expects this event a number of times since the last expectation, and asserts it.
    public func expectCount(
        _ count: Int, of event: some TrackingEvent, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(.count(count, of: [.event(event)]), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects this event a number of times during an action, and asserts it. Ignores earlier events.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expectCount<Result>(
        _ count: Int, of event: some TrackingEvent, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .count(count, of: [.event(event)]), at: CodeLocation(sourceLocation, fileID, filePath, line, column),
            during: action)
    }

    /// Expects this event a number of times during an async action, and asserts it. Ignores earlier events.
    @discardableResult
    public func expectCount<Result>(
        _ count: Int, of event: some TrackingEvent, isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .count(count, of: [.event(event)]), at: CodeLocation(sourceLocation, fileID, filePath, line, column),
            isolation: isolation, during: action)
    }

    /// Expects a number of events of a list since the last expectation, in any order, and asserts them.
    public func expectCount(
        _ count: Int, contentsOf events: [any TrackingEvent], sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(
            .count(count, of: Self.patterns(contentsOf: events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects a number of events of a list during an action, in any order, and asserts them. Ignores earlier events.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expectCount<Result>(
        _ count: Int, contentsOf events: [any TrackingEvent], sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .count(count, of: Self.patterns(contentsOf: events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// Expects a number of events of a list during an async action, in any order, and asserts them. Ignores earlier
    /// events.
    @discardableResult
    public func expectCount<Result>(
        _ count: Int, contentsOf events: [any TrackingEvent], isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .count(count, of: Self.patterns(contentsOf: events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), isolation: isolation, during: action)
    }

    /// Expects a number of events since the last expectation that match at least one of these patterns, and asserts
    /// them.
    public func expectCount(
        _ count: Int, matching patterns: [EventPattern], sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(.count(count, of: patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects a number of events during an action that match at least one of these patterns, and asserts them. Ignores
    /// earlier events.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expectCount<Result>(
        _ count: Int, matching patterns: [EventPattern], sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .count(count, of: patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column),
            during: action
        )
    }

    /// Expects a number of events during an async action that match at least one of these patterns, and asserts them.
    /// Ignores earlier events.
    @discardableResult
    public func expectCount<Result>(
        _ count: Int, matching patterns: [EventPattern], isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .count(count, of: patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column),
            isolation: isolation, during: action)
    }
}
