public import Testing
public import TrackingCore

extension TrackingRecorder {
    /// Expects that no event since the last expectation matches the pattern. Asserts nothing else.
    ///
    /// ```swift
    /// recorder.expectNone(.any(Search.self))
    /// recorder.expectNone(.any(Search.self)) { screen.cancelTapped() }
    /// ```
    public func expectNone(
        _ pattern: EventPattern, sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(.count(0, of: [pattern]), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects that no event during an action matches the pattern. Asserts nothing else. Ignores earlier events.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expectNone<Result>(
        _ pattern: EventPattern, sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .count(0, of: [pattern]), at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// Expects that no event during an async action matches the pattern. Asserts nothing else. Ignores earlier events.
    @discardableResult
    public func expectNone<Result>(
        _ pattern: EventPattern, isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .count(0, of: [pattern]), at: CodeLocation(sourceLocation, fileID, filePath, line, column),
            isolation: isolation, during: action)
    }

    /// Expects that this event did not fire since the last expectation. Asserts nothing else.
    public func expectNone(
        _ event: some TrackingEvent, sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(.count(0, of: [.event(event)]), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects that this event does not fire during an action. Asserts nothing else. Ignores earlier events.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expectNone<Result>(
        _ event: some TrackingEvent, sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .count(0, of: [.event(event)]), at: CodeLocation(sourceLocation, fileID, filePath, line, column),
            during: action)
    }

    /// Expects that this event does not fire during an async action. Asserts nothing else. Ignores earlier events.
    @discardableResult
    public func expectNone<Result>(
        _ event: some TrackingEvent, isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .count(0, of: [.event(event)]), at: CodeLocation(sourceLocation, fileID, filePath, line, column),
            isolation: isolation, during: action)
    }

    /// Expects that none of these events fired since the last expectation. Asserts nothing else.
    public func expectNone(
        contentsOf events: [any TrackingEvent], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(
            .count(0, of: Self.patterns(contentsOf: events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects that none of these events fires during an action. Asserts nothing else. Ignores earlier events.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expectNone<Result>(
        contentsOf events: [any TrackingEvent], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .count(0, of: Self.patterns(contentsOf: events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// Expects that none of these events fires during an async action. Asserts nothing else. Ignores earlier events.
    @discardableResult
    public func expectNone<Result>(
        contentsOf events: [any TrackingEvent], isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .count(0, of: Self.patterns(contentsOf: events)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), isolation: isolation, during: action)
    }

    /// Expects that no event since the last expectation matches any of these patterns. Asserts nothing else.
    public func expectNone(
        matching patterns: [EventPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(.count(0, of: patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects that no event during an action matches any of these patterns. Asserts nothing else. Ignores earlier
    /// events.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expectNone<Result>(
        matching patterns: [EventPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .count(0, of: patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// Expects that no event during an async action matches any of these patterns. Asserts nothing else. Ignores
    /// earlier events.
    @discardableResult
    public func expectNone<Result>(
        matching patterns: [EventPattern], isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .count(0, of: patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column),
            isolation: isolation, during: action)
    }
}
