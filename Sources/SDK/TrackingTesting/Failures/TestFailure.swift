internal import Foundation
internal import Testing

/// Fails the test that is running, whichever library runs it.
enum TestFailure {
    /// Reports a failure to Swift Testing, or to XCTest, which is looked up where the program runs: nothing links it.
    ///
    /// Outside the task of a test of Swift Testing nobody knows which test it belongs to; the run fails all the same.
    ///
    /// - Parameter location: Where it is shown; nil if nobody knows.
    static func report(_ message: String, at location: CodeLocation?) {
        if Test.current == nil { failInXCTest?(message, location?.staticFilePath ?? "unknown", location?.line ?? 0) }
        if let location {
            Issue.record(Comment(rawValue: message), sourceLocation: location.location)
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
