extension String {
    /// A text of bytes; nil if they are not valid UTF-8.
    ///
    /// The standard library's `String(validating:as:)` needs macOS 15 and iOS 18.
    ///
    /// - Complexity: O(bytes).
    @inlinable
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        let text = String(decoding: bytes, as: UTF8.self)
        // What is not valid is replaced while decoding, by bytes that were not there.
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
