extension JSONValue {
    /// Parses a whole text like ``JSONParser/parse(_:)``; nil if it is not valid JSON.
    ///
    /// The only thing lost is the offset and the reason of the ``JSONSyntaxError``. Call this where every invalid text has
    /// the same effect; call ``JSONParser/parse(_:)`` to report the error. Complexity: O(bytes).
    package init?(validating bytes: some Sequence<UInt8>) {
        do { self = try JSONParser.parse(bytes) } catch { return nil }
    }
}
