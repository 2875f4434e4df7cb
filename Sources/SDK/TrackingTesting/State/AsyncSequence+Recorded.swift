extension AsyncSequence {
    /// The elements up to the one that makes a condition true, that one included, or up to the end.
    ///
    /// ```swift
    /// let states = try await store.values.recorded { !$0.isFetching }
    /// ```
    ///
    /// - Throws: What the sequence throws; `CancellationError` if the task is cancelled before.
    public func recorded(until isLast: (Element) throws -> Bool) async throws -> [Element] {
        var elements: [Element] = []
        for try await element in self {
            elements.append(element)
            if try isLast(element) { return elements }
        }
        try Task.checkCancellation()
        return elements
    }
}
