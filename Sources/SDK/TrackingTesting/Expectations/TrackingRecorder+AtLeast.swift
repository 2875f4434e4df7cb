public import Testing
public import TrackingCore

extension TrackingRecorder {
    /// Expects these events, in this order; others may stand between them, and stay unasserted.
    public func expectAtLeast<each Event: TrackingEvent>(
        _ events: repeat each Event, sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let patterns = Self.patterns(repeat each events)
        expectSome(patterns, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
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
        let patterns = Self.patterns(repeat each events)
        let start = stepCount
        let result = try action()
        expectSome(patterns, from: start, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
        return result
    }

    /// The same while an action runs that waits for something.
    @discardableResult
    public func expectAtLeast<each Event: TrackingEvent, Result>(
        _ events: repeat each Event, isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        let patterns = Self.patterns(repeat each events)
        let start = stepCount
        let result = try await action()
        expectSome(patterns, from: start, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
        return result
    }

    /// Expects these events of a list that a test computes, in this order; others may stand between them, and stay unasserted.
    public func expectAtLeast(
        contentsOf events: [any TrackingEvent], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        expectSome(events.map { .event($0) }, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
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
        let start = stepCount
        let result = try action()
        expectSome(
            events.map { .event($0) }, from: start, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
        return result
    }

    /// The same while an action runs that waits for something.
    @discardableResult
    public func expectAtLeast<Result>(
        contentsOf events: [any TrackingEvent], isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        let start = stepCount
        let result = try await action()
        expectSome(
            events.map { .event($0) }, from: start, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
        return result
    }

    /// Expects events that these patterns take, in this order; others may stand between them, and stay unasserted.
    public func expectAtLeast(
        matching patterns: EventPattern..., sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        expectSome(patterns, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects events that these patterns take, in this order; others may stand between them, and stay unasserted.
    public func expectAtLeast(
        matching patterns: [EventPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        expectSome(patterns, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
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
        let start = stepCount
        let result = try action()
        expectSome(patterns, from: start, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
        return result
    }

    /// The same while an action runs that waits for something.
    @discardableResult
    public func expectAtLeast<Result>(
        matching patterns: [EventPattern], isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        let start = stepCount
        let result = try await action()
        expectSome(patterns, from: start, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
        return result
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
        let start = stepCount
        let result = try action()
        expectSome([first] + others, from: start, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
        return result
    }

    /// Expects events that these patterns take, in this order, with others between them, while an action runs that waits for something.
    @discardableResult
    public func expectAtLeast<Result>(
        matching first: EventPattern, _ others: EventPattern..., isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        let start = stepCount
        let result = try await action()
        expectSome([first] + others, from: start, at: CodeLocation(sourceLocation, fileID, filePath, line, column))
        return result
    }
}
