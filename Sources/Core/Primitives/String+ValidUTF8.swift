extension String {
    /// Makes a string from bytes; nil if they are not valid UTF-8.
    ///
    /// The standard library's `String(validating:as:)` requires macOS 15 and iOS 18.
    ///
    /// - Complexity: O(bytes).
    @inlinable
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid bytes, which this comparison detects.
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
