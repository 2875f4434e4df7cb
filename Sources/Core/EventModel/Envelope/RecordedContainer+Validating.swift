extension RecordedContainer {
    /// Reads a line like ``init(line:)``; nil if it is not a container.
    ///
    /// The only thing lost is which member is missing, or where the JSON is invalid. Call this where every other line has
    /// the same effect; call ``init(line:)`` to report the error.
    package init?(validating line: [UInt8]) {
        do { try self.init(line: line) } catch { return nil }
    }
}
