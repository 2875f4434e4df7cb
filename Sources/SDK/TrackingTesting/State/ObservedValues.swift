internal import Observation
public import Testing

/// Records all values that an expression over `@Observable` objects went through.
///
/// ```swift
/// let titles = ObservedValues { viewModel.title }
/// viewModel.searchTapped()
/// #expect(titles.values == ["Search", "Results"])
/// ```
///
/// Each change is seen, also several in one call: Observation tells of a change before it happens, so what held until then
/// is read. A change that leaves the value equal adds nothing. To be used where the objects are changed: on their actor, or
/// on the one thread that changes them.
///
/// Read the same properties each time. What stands behind an `if` or a `&&` is followed only once it was read: at the next
/// change, or when ``values`` is asked for.
public final class ObservedValues<Value: Equatable & Sendable> {
    private let read: () -> Value
    private var recorded: [Value] = []
    private var waiting: [Wait] = []
    /// Counts what was tracked: of an expression's dependencies, those that it had last are followed.
    private var tracked = 0

    /// Starts to record.
    ///
    /// - Parameter read: Gives the value, from observable properties. Called with each change.
    public init(_ read: @escaping () -> Value) {
        self.read = read
        recorded = [track()]
    }

    /// The values from the first to the one that holds now.
    public var values: [Value] {
        keep(track())
        return recorded
    }

    /// The values up to now, once one holds that makes a condition true: for what comes later, such as an answer.
    ///
    /// ```swift
    /// let titles = await titles.values { $0 == "Results" }
    /// ```
    ///
    /// Waits for changes, without polling, until one leaves such a value. It has no time limit: give the test one by the
    /// trait `.timeLimit`, which cancels it. Cancelled, it fails the test and returns the values so far.
    ///
    /// - Parameters:
    ///   - isolation: The caller's, which it stays on.
    ///   - sourceLocation, fileID, filePath, line, column: Where the failure says it is: here, unless said otherwise.
    ///   - isLast: Whether a value is waited for; asked of the one that holds now, and after changes.
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
                    "the test was cancelled while it waited for a value; so far:\(shown)",
                    at: CodeLocation(sourceLocation, fileID, filePath, line, column))
                return values
            }
        }
    }

    private func track() -> Value {
        // Called on the thread that changes the value, in the call that does.
        nonisolated(unsafe) weak let recorder = self
        tracked += 1
        return withObservationTracking(read) { [tracked] in recorder?.willChange(tracked) }
    }

    private func willChange(_ number: Int) {
        guard number == tracked else { return }
        keep(track())
        // They go on after the call that changes the value.
        let waiting = waiting
        self.waiting = []
        for one in waiting { one.end() }
    }

    private func keep(_ value: Value) {
        if recorded.last != value { recorded.append(value) }
    }
}
