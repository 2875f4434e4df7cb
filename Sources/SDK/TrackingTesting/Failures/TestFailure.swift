internal import Foundation
internal import Testing

/// Fails the test that is running, whichever library runs it.
enum TestFailure {
    /// Reports a failure to Swift Testing, or to XCTest, which is looked up where the program runs: nothing links it.
    ///
    /// Outside the task of a test of Swift Testing nobody knows which test it belongs to; the run fails all the same.
    ///
    /// - Parameter place: Where it is shown; nil if nobody knows.
    static func report(_ message: String, at place: SourcePlace?) {
        if Test.current == nil { failInXCTest?(message, place?.filePath ?? "unknown", place?.line ?? 0) }
        if let place {
            Issue.record(Comment(rawValue: message), sourceLocation: place.location)
        } else {
            Issue.record(Comment(rawValue: message))
        }
    }

    /// Whether a test of Swift Testing runs in this task.
    static var isInTest: Bool { Test.current != nil }

    private typealias Fail = @convention(thin) (String, StaticString, UInt) -> Void

    /// `XCTFail(_:file:line:)`, if XCTest is there.
    private static let failInXCTest: Fail? = {
        // The handle of the program itself: all that is loaded is searched.
        guard let program = dlopen(nil, RTLD_NOW),
            let symbol = dlsym(program, "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF")
        else { return nil }
        return unsafeBitCast(symbol, to: Fail.self)
    }()
}

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
