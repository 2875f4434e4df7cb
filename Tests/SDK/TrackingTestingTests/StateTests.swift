import Observation
import Testing
import TrackingCore
import TrackingTesting

@Suite("Recorded states")
struct StateTests {
    let app = TestedApp()

    @Observable
    final class Model {
        var count = 0
        var other = 0
    }

    @Test("of a store: before, between and after")
    func store() {
        let states = StateRecorder(app.environment.route.store)
        app.environment.show(.home)
        app.environment.show(.detail(1))
        #expect(states.values.map(\.command) == [nil, .home, .detail(1)])
    }

    @Test("of observable objects, even for several changes in one call")
    func observable() {
        let model = Model()
        let counts = ObservedValues { model.count }
        let sums = ObservedValues { model.count + model.other }
        for _ in 0..<3 { model.count += 1 }
        model.other = 10
        model.count = 3
        #expect(counts.values == [0, 1, 2, 3])
        #expect(sums.values == [0, 1, 2, 3, 13])
        model.count = 0
        #expect(counts.values == [0, 1, 2, 3, 0])
    }

    @Test("of an expression that did not read all properties at first, once its values were read")
    func otherDependencies() {
        let model = Model()
        let bothSet = ObservedValues { model.count > 0 && model.other > 0 }
        model.count = 1
        #expect(bothSet.values == [false])
        model.other = 1
        model.other = 0
        #expect(bothSet.values == [false, true, false])
    }

    @Test("of a sequence, up to the expected one")
    func sequence() async throws {
        let values = app.environment.route.store.values
        app.environment.show(.home)
        app.environment.show(.detail(1))
        app.environment.show(.detail(2))
        let seen = try await values.recorded { $0.command == .detail(1) }
        #expect(seen.map(\.command) == [nil, .home, .detail(1)])
    }

    @Test("that are added by hand")
    func handedOver() {
        let recorder = StateRecorder<Int>()
        [1, 2].forEach(recorder.record)
        #expect(recorder.values == [1, 2])
    }

    @Test("of any source with a closure; its subscription lives as long as the recorder")
    func subscribed() {
        final class Subscription {}
        weak var held: Subscription?
        var handOver: (@Sendable (Int) -> Void)?
        var recorder: StateRecorder<Int>? = StateRecorder { record in
            record(1)
            handOver = record
            let subscription = Subscription()
            held = subscription
            return subscription
        }
        handOver?(2)
        #expect(recorder?.values == [1, 2])
        #expect(held != nil)
        recorder = nil
        #expect(held == nil)
        handOver?(3)
    }

    @MainActor
    @Test("of observable objects, up to the expected one")
    func awaited() async {
        let model = Model()
        let counts = ObservedValues { model.count }
        #expect(await counts.values { $0 == 0 } == [0])
        let counting = Task { for _ in 0..<3 { model.count += 1 } }
        #expect(await counts.values { $0 > 0 } == [0, 1, 2, 3])
        let last = Task { model.count = 10 }
        #expect(await counts.values { $0 == 10 } == [0, 1, 2, 3, 10])
        await counting.value
        await last.value
    }

    @MainActor
    @Test("of observable objects: a canceled wait fails the test and shows the values so far")
    func cancelled() async {
        let model = Model()
        let counts = ObservedValues { model.count }
        nonisolated(unsafe) var texts: [String] = []
        await withKnownIssue {
            let wait = Task { await counts.values { $0 == 7 } }
            await Task.yield()
            model.count = 1
            wait.cancel()
            #expect(await wait.value == [0, 1])
        } matching: { issue in
            texts += issue.comments.map(\.rawValue)
            return true
        }
        #expect(texts == ["the test was canceled while waiting for a value; so far:\n    0\n    1"])
        model.count = 2
        #expect(counts.values == [0, 1, 2])
    }
}
