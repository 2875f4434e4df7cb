extension StringFormat {
    /// Whether a text is a pattern of ECMA-262.
    static func isPattern(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        do throws(PatternSyntaxError) {
            _ = try Pattern(String(decoding: text, as: UTF8.self))
            return true
        } catch {
            return false
        }
    }
}
