internal import Testing

/// A place in a test's source, where a failure is shown.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
    /// The file as `#fileID` names it.
    public let fileID: StaticString
    /// The file as `#filePath` names it.
    public let filePath: StaticString
    /// From 1.
    public let line: UInt
    /// From 1.
    public let column: UInt

    init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
    }

    /// `file:line`.
    public var description: String { "\(fileID):\(line)" }

    public static func == (left: Self, right: Self) -> Bool {
        left.line == right.line && left.column == right.column && "\(left.filePath)" == "\(right.filePath)"
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine("\(filePath)")
        hasher.combine(line)
        hasher.combine(column)
    }

    /// The same for Swift Testing.
    var location: SourceLocation {
        SourceLocation(fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
    }
}
