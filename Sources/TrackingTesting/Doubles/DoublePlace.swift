/// A place in a test's source.
public struct DoublePlace: Hashable, Sendable, CustomStringConvertible {
    /// The file as `#fileID` names it.
    public let fileID: String
    /// The file as `#filePath` names it.
    public let filePath: String
    /// Both from 1.
    public let line: Int
    public let column: Int

    /// `file:line`.
    public var description: String { "\(fileID):\(line)" }
}
