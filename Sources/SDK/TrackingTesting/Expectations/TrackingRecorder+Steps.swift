public import EventLog
public import Testing
public import TrackingCore

extension TrackingRecorder {
    /// Expects exactly these steps of all domains, in this order, and nothing else since the last exact expectation: that a
    /// route command comes before its screen's page view, for instance.
    public func expectSteps(
        _ patterns: StepPattern..., sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(.steps(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// The same for a list that a test computes.
    public func expectSteps(
        _ patterns: [StepPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column
    ) {
        check(.steps(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column))
    }

    /// Expects exactly these steps while an action runs. What was before is for other expectations.
    ///
    /// - Returns: What the action returns.
    @discardableResult
    public func expectSteps<Result>(
        _ patterns: StepPattern..., sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line, column: UInt = #column, during action: () throws -> Result
    ) rethrows -> Result {
        try check(.steps(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// The same while an action runs that waits for something.
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

    /// The same for a list that a test computes, while an action runs.
    ///
    /// - Returns: What the action returns.
    @discardableResult
    public func expectSteps<Result>(
        _ patterns: [StepPattern], sourceLocation: SourceLocation? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        during action: () throws -> Result
    ) rethrows -> Result {
        try check(.steps(patterns), at: CodeLocation(sourceLocation, fileID, filePath, line, column), during: action)
    }

    /// The same for a list that a test computes, while an action runs that waits for something.
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

/// Which steps an expectation about the order of several domains takes.
///
/// ```swift
/// recorder.expectSteps(.route(AppRoute.search), .event(PageView(page: "search")))
/// ```
public struct StepPattern: Sendable, CustomStringConvertible {
    let matches: @Sendable (RecordedStep) -> Bool
    /// Which event it takes; nil if it takes another step.
    let event: EventPattern?
    /// The name of the event, or of the dropped event, that it takes; nil if it takes another step.
    let eventName: String?
    private let words: @Sendable () -> String

    // The words are made when a failure needs them: to describe a command costs more than to compare it.
    private init(
        description: @autoclosure @escaping @Sendable () -> String, event: EventPattern? = nil,
        dropOf name: String? = nil,
        matches: @escaping @Sendable (RecordedStep) -> Bool
    ) {
        self.event = event
        eventName = event?.type.name ?? name
        self.matches = matches
        words = description
    }

    /// What it takes, in a line.
    public var description: String { words() }

    /// This route command.
    public static func route<Command: RouteCommand>(_ command: Command) -> StepPattern {
        StepPattern(description: "route \(command)") { step in
            if case .route(let other) = step { other as? Command == command } else { false }
        }
    }

    /// This event.
    public static func event(_ event: some TrackingEvent) -> StepPattern { .event(matching: .event(event)) }

    /// An event that a pattern takes.
    public static func event(matching pattern: EventPattern) -> StepPattern {
        StepPattern(description: pattern.description, event: pattern) { step in
            if case .event(let container) = step { pattern.matches(container) } else { false }
        }
    }

    /// The drop of an event. Which limit of its schema it is past is no step of its own.
    public static func drop(of name: String, _ reason: DropReason) -> StepPattern {
        StepPattern(description: "drop of \(name): \(reason.rawValue)", dropOf: name) { step in
            guard case .diagnostic(.dropped(let other, let why)) = step else { return false }
            return other == name && why == reason
        }
    }

    /// Something else than a drop that the SDK could not do.
    ///
    /// - Parameter condition: Says which; it must not change anything.
    public static func diagnostic(where condition: @escaping @Sendable (TrackingDiagnostic) -> Bool) -> StepPattern {
        StepPattern(description: "diagnostic for which the condition holds") { step in
            if case .diagnostic(let diagnostic) = step { condition(diagnostic) } else { false }
        }
    }

    /// The device's id was made anew.
    public static var device: StepPattern {
        StepPattern(description: "device id") { if case .device = $0 { true } else { false } }
    }
}
