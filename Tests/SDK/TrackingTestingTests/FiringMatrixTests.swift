import Testing
import TrackingCore

@testable import TrackingTesting

@Suite("The firing matrix")
struct FiringMatrixTests {
    private struct Screen: RouteCommand, CustomStringConvertible {
        let number: Int
        var description: String { "screen \(number)" }
    }

    @Test("names a route by its case without values, or by its description")
    func names() {
        #expect(FiringMatrix.name(of: TestedApp.Route.home) == "home")
        #expect(FiringMatrix.name(of: TestedApp.Route.detail(3)) == "detail")
        #expect(FiringMatrix.name(of: Screen(number: 4)) == "screen 4")
    }

    @Test(
        "names XCTest's test methods by the locations of expectations in them",
        arguments: [
            (6, "FiringTests.testLaunch"), (8, "FiringTests.testLaunch"), (13, "FiringTests.testWaiting"), (17, nil),
            (22, "FiringTests.testMore"), (26, nil), (30, nil), (99, nil),
        ] as [(Int, String?)])
    func xcTestNames(line: Int, name: String?) {
        let source = """
            import XCTest

            /// class OtherTests
            final class FiringTests: XCTestCase {
                func testLaunch() {
                    recorder.expect(.launch)
                    func again() {
                        recorder.expect(.launch)
                    }
                }

                @MainActor func testWaiting() async throws {
                    if isReady { recorder.expect(.launch) }
                }

                private func helper() {
                    recorder.expect(.launch)
                }
            }
            extension FiringTests {
                public func testMore() { recorder.expect(.launch)
                    recorder.expect(.launch)
                }
            }
            func testOutside() {
                recorder.expect(.launch)
            }
            struct Suite {
                func testOther() {
                    recorder.expect(.launch)
                }
            }
            """
        let lines = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        #expect(XCTestNames.name(in: lines, line: line) == name)
    }

    private struct AdShown: TrackingEvent {
        static let name = "ad-shown"
        static let carriesValue = false
        static let purpose: Purpose = "ads"
    }

    @Test("has each event's purpose, and the consent under which it is asserted")
    func purposes() {
        let recorder = TrackingRecorder()
        let tracker = Tracker.mock(recording: recorder, consent: .required(for: ["ads"]))
        tracker.send(.launch)
        tracker.send(AdShown())
        let entries = recorder.matrixEntries(
            of: recorder.withSteps { $0.events }, at: CodeLocation("A/B.swift", "/none/B.swift", 3, 1))
        let texts = entries.map { [$0["event"], $0["purpose"], $0["consent"]].map { $0?.stringValue } }
        #expect(texts == [["launch", "analytics", "granted"], ["ad-shown", "ads", "unknown"]])
        let released = recorder.matrixEntries(
            of: recorder.withSteps { $0.events }, under: .granted, at: CodeLocation("A/B.swift", "/none/B.swift", 3, 1))
        #expect(released.allSatisfy { $0["consent"]?.stringValue == "granted" })
        recorder.skipRecorded()
    }

    @Test("has no name if the source cannot be read")
    func noSource() {
        let location = CodeLocation("A/B.swift", "/none/B.swift", 3, 1)
        #expect(XCTestNames().name(at: location) == nil)
        #expect(XCTestNames().name(at: CodeLocation(#fileID, #filePath, #line, #column)) == nil)
    }
}
