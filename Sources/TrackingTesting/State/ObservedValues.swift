internal import Observation

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
public final class ObservedValues<Value: Equatable & Sendable> {
    private let read: () -> Value
    private var recorded: [Value] = []

    /// Starts to record.
    ///
    /// - Parameter read: Gives the value, from observable properties. Called with each change.
    public init(_ read: @escaping () -> Value) {
        self.read = read
        recorded = [track()]
    }

    /// The values from the first to the one that holds now.
    public var values: [Value] {
        keep(read())
        return recorded
    }

    private func track() -> Value {
        // Called on the thread that changes the value, in the call that does.
        nonisolated(unsafe) weak let recorder = self
        return withObservationTracking(read) { recorder?.willChange() }
    }

    private func willChange() { keep(track()) }

    private func keep(_ value: Value) {
        if recorded.last != value { recorded.append(value) }
    }
}
