public import Testing
public import TrackingCore

// The compiler does not convert literals to an app's own types in the arguments of a parameter pack, as in
// `.productViewed(id: "42")` (issue 78912 of swiftlang/swift). Therefore the first six events have separate parameters.
// See the functions with a pack for their documentation.
extension TrackingRecorder {
    /// A placeholder for an omitted event.
    public struct NoEvent: TrackingEvent {
        public static let name = "none"
        /// Makes the placeholder.
        public init() {}
    }

    /// Expects exactly these events since the last expectation, in this order.
    public func expect<
        First: TrackingEvent, Second: TrackingEvent, Third: TrackingEvent,
        Fourth: TrackingEvent, Fifth: TrackingEvent, Sixth: TrackingEvent
    >(
        _ first: First, _ second: Second = NoEvent(), _ third: Third = NoEvent(), _ fourth: Fourth = NoEvent(),
        _ fifth: Fifth = NoEvent(), _ sixth: Sixth = NoEvent(), by sender: EventSender? = nil,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(
            .exactly(Self.patterns(first, second, third, fourth, fifth, sixth).by(sender)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects exactly these events during an action, in this order. Ignores earlier events.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expect<
        First: TrackingEvent, Second: TrackingEvent, Third: TrackingEvent,
        Fourth: TrackingEvent, Fifth: TrackingEvent, Sixth: TrackingEvent, Result
    >(
        _ first: First, _ second: Second = NoEvent(), _ third: Third = NoEvent(), _ fourth: Fourth = NoEvent(),
        _ fifth: Fifth = NoEvent(), _ sixth: Sixth = NoEvent(), by sender: EventSender? = nil,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(
            .exactly(Self.patterns(first, second, third, fourth, fifth, sixth).by(sender)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// Expects exactly these events during an async action, in this order. Ignores earlier events.
    @discardableResult
    public func expect<
        First: TrackingEvent, Second: TrackingEvent, Third: TrackingEvent,
        Fourth: TrackingEvent, Fifth: TrackingEvent, Sixth: TrackingEvent, Result
    >(
        _ first: First, _ second: Second = NoEvent(), _ third: Third = NoEvent(), _ fourth: Fourth = NoEvent(),
        _ fifth: Fifth = NoEvent(), _ sixth: Sixth = NoEvent(), by sender: EventSender? = nil,
        isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .exactly(Self.patterns(first, second, third, fourth, fifth, sixth).by(sender)),
            at: CodeLocation(sourceLocation, fileID, filePath, line, column), isolation: isolation, during: action)
    }
}
