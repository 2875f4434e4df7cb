public import JSONLines

/// Reports lines at fault, each with file, line and column, and counts them.
public struct FaultyLines: Sendable {
    /// How many there were.
    public private(set) var count = 0
    private let command: String

    /// Makes a counter that reports in a command's name.
    public init(command: String) { self.command = command }

    /// Reports one line.
    public mutating func report(_ error: any Error, file: String, line: Int) {
        count += 1
        let (column, reason) =
            switch error {
            case let error as JSONSyntaxError: (error.column, error.reason)
            default: (1, "\(error)")
            }
        Console.report("\(file):\(line):\(column): \(reason)", by: command)
    }

    /// The failure to end with; nil if there was no such line.
    ///
    /// - Parameter consequence: What became of the other lines.
    public func failure(_ consequence: String) -> CommandFailure? {
        guard count > 0 else { return nil }
        return CommandFailure(.data, "\(count) \(count == 1 ? "line is" : "lines are") at fault; \(consequence)")
    }
}

/// A line that cannot be parsed because it isn't all there.
public struct UnreadableLine: Error, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let description: String

    /// The file's last line has no line feed.
    public static let torn = UnreadableLine(description: "torn write: the file's last line has no line feed")
    /// The line is over the limit.
    public static let tooLong = UnreadableLine(description: "the line is longer than 16 MiB")
}

extension LineSplitter.Line {
    /// The bytes of a complete line.
    ///
    /// - Throws: ``UnreadableLine`` for any other.
    public func bytes() throws -> [UInt8] {
        switch self {
        case .complete(let bytes): return bytes
        case .torn: throw UnreadableLine.torn
        case .tooLong: throw UnreadableLine.tooLong
        }
    }
}
