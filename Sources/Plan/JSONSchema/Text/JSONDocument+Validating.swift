extension JSONDocument {
    /// Parses a complete text like ``init(_:limits:)``; nil if it is invalid.
    ///
    /// The only thing lost is the offset and the reason of the ``JSONTextError``. Call this where every invalid text has
    /// the same effect; call ``init(_:limits:)`` to report the error. Complexity: O(bytes).
    package convenience init?(validating bytes: some Sequence<UInt8>, limits: JSONLimits = .standard) {
        do { try self.init(bytes, limits: limits) } catch { return nil }
    }
}
