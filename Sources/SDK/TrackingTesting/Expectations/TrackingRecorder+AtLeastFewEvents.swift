public import Testing
public import TrackingCore

// The first six events have separate parameters for the same reason as those of `expect`.
extension TrackingRecorder {
    /// Expects these events, in this order. Other events may fire in between, and stay unasserted.
    public func expectAtLeast<
        First: TrackingEvent, Second: TrackingEvent, Third: TrackingEvent,
        Fourth: TrackingEvent, Fifth: TrackingEvent, Sixth: TrackingEvent
    >(
        _ first: First, _ second: Second = NoEvent(), _ third: Third = NoEvent(), _ fourth: Fourth = NoEvent(),
        _ fifth: Fifth = NoEvent(), _ sixth: Sixth = NoEvent(), sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        check(
            .atLeast(Self.patterns(first, second, third, fourth, fifth, sixth)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects these events during an action, in this order. Other events may fire in between, and stay unasserted.
    /// Ignores earlier events.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expectAtLeast<
        First: TrackingEvent, Second: TrackingEvent, Third: TrackingEvent,
        Fourth: TrackingEvent, Fifth: TrackingEvent, Sixth: TrackingEvent, Result
    >(
        _ first: First, _ second: Second = NoEvent(), _ third: Third = NoEvent(), _ fourth: Fourth = NoEvent(),
        _ fifth: Fifth = NoEvent(), _ sixth: Sixth = NoEvent(), sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .atLeast(Self.patterns(first, second, third, fourth, fifth, sixth)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// Expects these events during an async action, in this order. Other events may fire in between, and stay
    /// unasserted. Ignores earlier events.
    @discardableResult
    public func expectAtLeast<
        First: TrackingEvent, Second: TrackingEvent, Third: TrackingEvent,
        Fourth: TrackingEvent, Fifth: TrackingEvent, Sixth: TrackingEvent, Result
    >(
        _ first: First, _ second: Second = NoEvent(), _ third: Third = NoEvent(), _ fourth: Fourth = NoEvent(),
        _ fifth: Fifth = NoEvent(), _ sixth: Sixth = NoEvent(), isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .atLeast(Self.patterns(first, second, third, fourth, fifth, sixth)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), isolation: isolation, during: action)
    }
}
