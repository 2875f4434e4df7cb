import Testing
import TrackingCore
import TrackingTesting
import XCTest

@testable import SlimClient

/// The test kit in XCTest. `check` runs them, and the ones whose names say that they fail.
final class FiringTests: XCTestCase {
    private let recorder = TrackingRecorder()
    private lazy var environment = TrackingEnvironment<AppRoute>.mock(recording: recorder)

    // A test case lives to the end of the run, and its recorder with it.
    override func tearDown() { recorder.expectNothingElse() }

    func testCheckoutFires() {
        environment.tracking.send(.checkoutCompleted(items: 3))
        recorder.expect(.checkoutCompleted(items: 3))
    }

    func testFailsForAnotherEvent() throws {
        try XCTSkipUnless(ProcessInfo.processInfo.environment["FAILING"] != nil)
        environment.tracking.send(.launch)
        recorder.expect(.background)
    }

    func testFailsForAnEventThatNothingAsserts() throws {
        try XCTSkipUnless(ProcessInfo.processInfo.environment["FAILING"] != nil)
        environment.tracking.send(.launch)
    }

    func testFailsWhenItsRecorderGoesAway() throws {
        try XCTSkipUnless(ProcessInfo.processInfo.environment["FAILING"] != nil)
        let recorder = TrackingRecorder()
        TrackingEnvironment<AppRoute>.mock(recording: recorder).tracking.send(.launch)
    }

    private func expectBackground(sourceLocation: SourceLocation) {
        recorder.expect(.background, sourceLocation: sourceLocation)
    }

    func testFailsWhereItsHelperIsCalled() throws {
        try XCTSkipUnless(ProcessInfo.processInfo.environment["FAILING"] != nil)
        expectBackground(sourceLocation: #_sourceLocation)
    }
}
