/// A text that is not JSON, or is past a limit.
public struct JSONTextError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where, in bytes from the start of the text.
    public let offset: Int
    /// What is wrong, as a short sentence without values of the text.
    public let reason: String

    init(_ fault: JSONFault, at offset: Int) {
        self.offset = offset
        reason = fault.reason
    }

    /// The reason and the offset.
    public var description: String { "\(reason), at byte \(offset)" }
}
