internal import Primitives
internal import Testing

/// A location in a test's source, where a failure is shown.
public struct CodeLocation: Hashable, Sendable, CustomStringConvertible {
    /// The source of file names: the compiler's literals cost nothing until a failure needs them.
    private enum Names: Sendable {
        case literals(fileID: StaticString, filePath: StaticString)
        case texts(fileID: String, filePath: String)
    }

    private let names: Names
    /// The line, from 1.
    public let line: UInt
    /// The column, from 1.
    public let column: UInt

    init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        self.init(.literals(fileID: fileID, filePath: filePath), line, column)
    }

    private init(_ names: Names, _ line: UInt, _ column: UInt) {
        self.names = names
        self.line = line
        self.column = column
    }

    /// The location that a helper passes on, otherwise that of the call.
    init(_ location: SourceLocation?, _ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
        guard let location else {
            self.init(fileID, filePath, line, column)
            return
        }
        #if compiler(>=6.3)
            let path = location.filePath
        #else
            let path = location._filePath
        #endif
        self.init(
            .texts(fileID: location.fileID, filePath: path), UInt(max(location.line, 1)), UInt(max(location.column, 1)))
    }

    /// The file, as in `#fileID`.
    public var fileID: String {
        switch names {
        case .literals(let fileID, _): "\(fileID)"
        case .texts(let fileID, _): fileID
        }
    }

    /// The file, as in `#filePath`.
    public var filePath: String {
        switch names {
        case .literals(_, let filePath): "\(filePath)"
        case .texts(_, let filePath): filePath
        }
    }

    /// ``filePath`` for XCTest, which requires a `StaticString`.
    var staticFilePath: StaticString {
        switch names {
        case .literals(_, let filePath): filePath
        case .texts(_, let filePath): StaticTexts.text(filePath)
        }
    }

    /// `file:line`.
    public var description: String { "\(fileID):\(line)" }

    public static func == (left: Self, right: Self) -> Bool {
        left.line == right.line && left.column == right.column && left.filePath == right.filePath
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(filePath)
        hasher.combine(line)
        hasher.combine(column)
    }

    /// The location for Swift Testing.
    var location: SourceLocation {
        SourceLocation(fileID: fileID, filePath: filePath, line: Int(line), column: Int(column))
    }
}

/// Strings that live as long as the process, like literals: one for each file in which a failure was reported.
enum StaticTexts {
    private static let known = Locked<[String: StaticString]>([:])

    static func text(_ text: String) -> StaticString {
        known.withLock { known in
            if let text = known[text] { return text }
            let made = make(text)
            known[text] = made
            return made
        }
    }

    /// The parts of a `StaticString` with a pointer. The type is frozen: its layout is a part of the ABI.
    private typealias Layout = (start: UnsafePointer<UInt8>, count: Int, flags: UInt8)

    private static func make(_ text: String) -> StaticString {
        guard MemoryLayout<StaticString>.size == MemoryLayout<Layout>.size else { return "unknown" }
        let bytes = Array(text.utf8)
        // Zero-terminated, like a literal; never freed.
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + 1)
        memory.initialize(repeating: 0, count: bytes.count + 1)
        memory.update(from: bytes, count: bytes.count)
        let isASCII: UInt8 = bytes.allSatisfy { $0 < 0x80 } ? 2 : 0
        return unsafeBitCast((UnsafePointer(memory), bytes.count, isASCII) as Layout, to: StaticString.self)
    }
}
