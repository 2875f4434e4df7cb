internal import EventLog
internal import EventModel
public import Testing
internal import TrackingCore

extension TrackingRecorder {
    /// Expects that the events of a user have fired, and were erased by `Tracker.erase(user:)`. Asserts none of them.
    ///
    /// ```swift
    /// tracker.identify("customer-1")
    /// tracker.send(.launch)
    /// await viewModel.deleteMyData()
    /// recorder.expectErased(user: "customer-1")
    /// ```
    ///
    /// - Parameter user: The value of `user_id`.
    public func expectErased(
        user: String, sourceLocation: SourceLocation? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let location = CodeLocation(sourceLocation, fileID, filePath, line, column)
        let theirs = withSteps { $0.events }.filter { $0.container.userID == user }
        guard !theirs.isEmpty else {
            return fail(
                "no event of the user \(user) fired before the erasure: send one, to see that it is erased",
                at: location)
        }
        let stored = Set(log.records.map(\.id))
        let left = theirs.filter { stored.contains($0.container.id) }
        guard !left.isEmpty else { return }
        let texts = left.map { "    \(EventText.text($0.container))" }
        fail(
            LineDiff.text(texts, header: "events of the user \(user) were not erased; call erase(user:):\n"),
            at: location)
    }
}
