import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

/// The workload of `tools/bench/run assertions`: the same 10,000 events, asserted with the kit and with a handwritten
/// spy.
@Suite("Many assertions", .serialized)
struct ManyAssertionsTests {
    private static let count = 10_000

    @Test("10,000 assertions, each with its own environment")
    func eachItsOwn() {
        for number in 1...Self.count {
            let recorder = TrackingRecorder()
            TrackingEnvironment<TestedApp.Route>.mock(recording: recorder).tracking.send(
                .search(query: "flux", page: number))
            recorder.expect(.search(query: "flux", page: number))
        }
    }

    @Test("10,000 assertions in one environment, each after a route command")
    func oneForAll() {
        let recorder = TrackingRecorder()
        let environment = TrackingEnvironment<TestedApp.Route>.mock(recording: recorder)
        for number in 1...Self.count {
            recorder.clock.advance(by: .seconds(1))  // so many events in one second count as a runaway loop
            environment.show(.detail(number))
            environment.tracking.send(.search(query: "flux", page: number))
            recorder.expect(.search(query: "flux", page: number))
        }
        #expect(recorder.containers.count == Self.count)
    }

    @Test("10,000 assertions by a spy that is written by hand")
    func byHand() {
        for number in 1...Self.count {
            let spy = Spy()
            spy.send(.search(query: "flux", page: number))
            #expect(spy.sent == [.search(query: "flux", page: number)])
        }
    }

    private final class Spy {
        enum Sent: Equatable { case search(query: String, page: Int) }
        private(set) var sent: [Sent] = []
        func send(_ event: Sent) { sent.append(event) }
    }
}
