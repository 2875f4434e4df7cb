public import Testing
public import TrackingCore

// The compiler does not make values of an app's own types out of literals among the arguments of a parameter pack, as in
// `.productViewed(id: "42")` (issue 78912 of swiftlang/swift). So the first six events have parameters of their own; what the
// functions do is said where they take a pack.
extension TrackingRecorder {
    /// Stands for an event that is not given.
    public struct NoEvent: TrackingEvent {
        public static let name = "none"
        /// Makes the placeholder.
        public init() {}
    }

    /// Expects exactly these events, in this order, and nothing else since the last expectation.
    public func expect<
        First: TrackingEvent, Second: TrackingEvent, Third: TrackingEvent,
        Fourth: TrackingEvent, Fifth: TrackingEvent, Sixth: TrackingEvent
    >(
        _ first: First, _ second: Second = NoEvent(), _ third: Third = NoEvent(), _ fourth: Fourth = NoEvent(),
        _ fifth: Fifth = NoEvent(), _ sixth: Sixth = NoEvent(),
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(
            .exactly(Self.patterns(first, second, third, fourth, fifth, sixth)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects exactly these events, in this order, and nothing else, while an action runs. What fired before is for other
    /// expectations.
    ///
    /// - Returns: What the action returns.
    @discardableResult
    public func expect<
        First: TrackingEvent, Second: TrackingEvent, Third: TrackingEvent,
        Fourth: TrackingEvent, Fifth: TrackingEvent, Sixth: TrackingEvent, Result
    >(
        _ first: First, _ second: Second = NoEvent(), _ third: Third = NoEvent(), _ fourth: Fourth = NoEvent(),
        _ fifth: Fifth = NoEvent(), _ sixth: Sixth = NoEvent(),
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .exactly(Self.patterns(first, second, third, fourth, fifth, sixth)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// The same while an action runs that waits for something.
    @discardableResult
    public func expect<
        First: TrackingEvent, Second: TrackingEvent, Third: TrackingEvent,
        Fourth: TrackingEvent, Fifth: TrackingEvent, Sixth: TrackingEvent, Result
    >(
        _ first: First, _ second: Second = NoEvent(), _ third: Third = NoEvent(), _ fourth: Fourth = NoEvent(),
        _ fifth: Fifth = NoEvent(), _ sixth: Sixth = NoEvent(),
        isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .exactly(Self.patterns(first, second, third, fourth, fifth, sixth)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), isolation: isolation, during: action)
    }
}
