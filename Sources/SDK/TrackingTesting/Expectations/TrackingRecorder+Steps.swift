public import EventLog
public import Testing
public import TrackingCore

extension TrackingRecorder {
    /// Expects exactly these steps of all domains since the last exact expectation, in this order. Use it, for
    /// instance, to check that a route command precedes its screen's page view.
    public func expectSteps(
        _ patterns: StepPattern..., sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(.steps(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects exactly the steps of a computed list since the last exact expectation, in this order.
    public func expectSteps(
        _ patterns: [StepPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(.steps(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects exactly these steps during an action. Ignores earlier steps.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expectSteps<Result>(
        _ patterns: StepPattern..., sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, during action: () throws -> Result
    ) rethrows -> Result {
        try check(.steps(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// Expects exactly these steps during an async action. Ignores earlier steps.
    @discardableResult
    public func expectSteps<Result>(
        _ patterns: StepPattern..., isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .steps(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column), isolation: isolation,
            during: action)
    }

    /// Expects exactly the steps of a computed list during an action. Ignores earlier steps.
    ///
    /// - Returns: The action's result.
    @discardableResult
    public func expectSteps<Result>(
        _ patterns: [StepPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(.steps(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// Expects exactly the steps of a computed list during an async action. Ignores earlier steps.
    @discardableResult
    public func expectSteps<Result>(
        _ patterns: [StepPattern], isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () async throws -> Result
    ) async rethrows -> Result {
        try await check(
            .steps(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column), isolation: isolation,
            during: action)
    }
}

/// Matches the steps of several domains in an expectation about their order.
///
/// ```swift
/// recorder.expectSteps(.route(AppRoute.search), .event(PageView(page: "search")))
/// ```
public struct StepPattern: Sendable, CustomStringConvertible {
    let matches: @Sendable (RecordedStep, EventStep?) -> Bool
    /// The event to match; nil for another step.
    let event: EventPattern?
    /// The name of the event, or of the dropped event; nil for another step.
    let eventName: String?
    private let makeDescription: @Sendable () -> String

    // The description is built when a failure needs it: describing a command costs more than comparing it.
    private init(
        description: @autoclosure @escaping @Sendable () -> String, event: EventPattern? = nil,
        dropOf name: String? = nil,
        matches: @escaping @Sendable (RecordedStep, EventStep?) -> Bool
    ) {
        self.event = event
        eventName = event?.type.name ?? name
        self.matches = matches
        makeDescription = description
    }

    /// The pattern in one line.
    public var description: String { makeDescription() }

    /// Matches this route command.
    public static func route<Command: RouteCommand>(_ command: Command) -> StepPattern {
        StepPattern(description: "route \(command)") { step, _ in
            if case .route(let other) = step { other as? Command == command } else { false }
        }
    }

    /// Matches this event.
    public static func event(_ event: some TrackingEvent) -> StepPattern { .event(matching: .event(event)) }

    /// Matches an event that matches a pattern.
    public static func event(matching pattern: EventPattern) -> StepPattern {
        StepPattern(description: pattern.description, event: pattern) { _, event in
            event.map(pattern.matches) ?? false
        }
    }

    /// Matches the drop of an event. With `.outOfLimits`, the violated limit of its schema is not a separate step.
    public static func drop(of name: String, _ reason: DropReason) -> StepPattern {
        StepPattern(description: "drop of \(name): \(reason.rawValue)", dropOf: name) { step, _ in
            guard case .diagnostic(.dropped(let other, let why)) = step else { return false }
            return other == name && why == reason
        }
    }

    /// Matches a diagnostic other than a drop.
    ///
    /// - Parameter condition: Whether the diagnostic matches. It must not change anything.
    public static func diagnostic(where condition: @escaping @Sendable (TrackingDiagnostic) -> Bool) -> StepPattern {
        StepPattern(description: "diagnostic for which the condition is true") { step, _ in
            if case .diagnostic(let diagnostic) = step { condition(diagnostic) } else { false }
        }
    }

    /// Matches the creation of a new device id.
    public static var device: StepPattern {
        StepPattern(description: "device id") { step, _ in if case .device = step { true } else { false } }
    }
}
