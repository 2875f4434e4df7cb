internal import Foundation
internal import Testing

/// Fails the running test in Swift Testing or XCTest.
enum TestFailure {
    /// Reports a failure to Swift Testing, or to XCTest, which is looked up at run time: nothing links it.
    ///
    /// Outside the task of a Swift Testing test, the failure can't be attributed to a test, but the run still fails.
    ///
    /// - Parameter location: The location to show; nil if unknown.
    static func report(_ message: String, at location: CodeLocation?) {
        if Test.current == nil { failInXCTest?(message, location?.staticFilePath ?? "unknown", location?.line ?? 0) }
        if let location {
            Issue.record(Comment(rawValue: message), sourceLocation: location.location)
        } else {
            Issue.record(Comment(rawValue: message))
        }
    }

    /// Whether a Swift Testing test runs in this task.
    static var isInTest: Bool { Test.current != nil }

    private typealias Fail = @convention(thin) (String, StaticString, UInt) -> Void

    /// `XCTFail(_:file:line:)`, if XCTest is loaded.
    private static let failInXCTest: Fail? = {
        // The handle of the program itself searches all loaded images.
        guard let program = dlopen(nil, RTLD_NOW),
            let symbol = dlsym(program, "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF")
        else { return nil }
        return unsafeBitCast(symbol, to: Fail.self)
    }()
}
