internal import Observation
public import Testing

/// Records all values of an expression over `@Observable` objects.
///
/// ```swift
/// let titles = ObservedValues { viewModel.title }
/// viewModel.searchTapped()
/// #expect(titles.values == ["Search", "Results"])
/// ```
///
/// Records each change, even if one call changes a value several times. Observation reports a change before it happens;
/// at each report, the recorder reads the value that the previous change has set. A change to an equal value adds
/// nothing. Use it where the objects are changed: on their actor, or on the only thread that changes them.
///
/// Read the same properties each time. Properties after an `if` or a `&&` are observed only once they were read: at the
/// next change, or when ``values`` is read.
public final class ObservedValues<Value: Equatable & Sendable> {
    private let read: () -> Value
    private var recorded: [Value] = []
    private var waiting: [Wait] = []
    /// The number of registrations: only the dependencies of the last evaluation are observed.
    private var tracked = 0

    /// Starts recording.
    ///
    /// - Parameter read: Returns the value, from observable properties. Called with each change.
    public init(_ read: @escaping () -> Value) {
        self.read = read
        recorded = [track()]
    }

    /// The values from the first to the current one.
    public var values: [Value] {
        keep(track())
        return recorded
    }

    /// Returns the values so far once a value satisfies a condition. Use it for results that arrive later, such as a
    /// response.
    ///
    /// ```swift
    /// let titles = await titles.values { $0 == "Results" }
    /// ```
    ///
    /// Waits for changes, without polling, until a value satisfies the condition. There is no time limit: use the trait
    /// `.timeLimit`, which cancels the test. When canceled, the method fails the test and returns the values so far.
    ///
    /// - Parameters:
    ///   - isolation: The caller's isolation.
    ///   - sourceLocation, fileID, filePath, line, column: The location of a failure. Default: the call.
    ///   - isLast: The condition. Called with the current value, and after changes.
    public func values(
        isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, until isLast: (Value) -> Bool
    ) async -> [Value] {
        while true {
            let values = values
            if let value = values.last, isLast(value) { return values }
            let wait = Wait()
            waiting.append(wait)
            do { try await wait.untilEnded() } catch {
                waiting.removeAll { $0 === wait }
                let shown = values.map { "\n    \(String(reflecting: $0))" }.joined()
                TestFailure.report(
                    "the test was canceled while waiting for a value; so far:\(shown)",
                    at: CodeLocation(sourceLocation, fileID, filePath, line, column))
                return values
            }
        }
    }

    private func track() -> Value {
        // Called on the thread that changes the value, within the change.
        nonisolated(unsafe) weak let recorder = self
        tracked += 1
        return withObservationTracking(read) { [tracked] in recorder?.willChange(tracked) }
    }

    private func willChange(_ number: Int) {
        guard number == tracked else { return }
        keep(track())
        // Resumed after the call that changes the value.
        let waiting = waiting
        self.waiting = []
        for one in waiting { one.end() }
    }

    private func keep(_ value: Value) {
        if recorded.last != value { recorded.append(value) }
    }
}
