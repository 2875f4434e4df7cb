import Dispatch
import Observation
import Testing

@testable import Flux

@Suite("FluxStore")
struct FluxStoreTests {
    let dispatcher = FluxDispatcher<Int>()

    private func makeStore() -> FluxStore<[Int], Int> {
        FluxStore([], dispatcher: dispatcher) { state, action in state.append(action) }
    }

    @Test("the state reflects all actions immediately")
    func state() {
        let store = makeStore()
        dispatcher.dispatch(1)
        dispatcher.dispatch(2)
        #expect(store.state == [1, 2])
    }

    @Test("subscribers get the state after each action, until they end")
    func subscribing() {
        let (store, seen) = (makeStore(), Collector<[Int]>())
        let subscription = store.subscribe { seen.add($0) }
        dispatcher.dispatch(1)
        dispatcher.dispatch(2)
        subscription.cancel()
        dispatcher.dispatch(3)
        #expect(seen.values == [[1], [1, 2]])
        #expect(store.state == [1, 2, 3])
    }

    @Test("the async sequence has the current state, each later one, and ends with the store")
    func asyncSequence() async {
        var store: FluxStore? = makeStore()
        dispatcher.dispatch(1)
        guard let values = store?.values else { return }
        dispatcher.dispatch(2)
        store = nil
        var seen: [[Int]] = []
        for await value in values { seen.append(value) }
        #expect(seen == [[1], [1, 2]])
    }

    @Test("observation reports the first change after a read")
    func observation() {
        let (store, changes) = (makeStore(), Collector<Int>())
        withObservationTracking {
            _ = store.state
        } onChange: {
            changes.add(1)
        }
        #expect(changes.values == [])
        dispatcher.dispatch(1)
        dispatcher.dispatch(2)
        #expect(changes.values == [1])
    }

    @Test("a store and its subscription are released with the last owner")
    func release() {
        weak var released: FluxStore<[Int], Int>?
        do {
            let store = makeStore()
            released = store
            dispatcher.dispatch(1)
            #expect(store.state == [1])
        }
        dispatcher.dispatch(2)
        #expect(released == nil)
    }

    @Test("the state is correct while observers, subscribers and sequences come and go")
    func watching() {
        let (store, changes, seen) = (makeStore(), Collector<Int>(), Collector<[Int]>())
        dispatcher.dispatch(1)
        let subscription = store.subscribe { seen.add($0) }
        dispatcher.dispatch(2)
        subscription.cancel()
        dispatcher.dispatch(3)
        for round in 0..<2 {
            withObservationTracking {
                #expect(store.state == Array(1..<(4 + round)))
            } onChange: {
                changes.add(round)
            }
            dispatcher.dispatch(4 + round)
        }
        #expect(changes.values == [0, 1])
        #expect(seen.values == [[1, 2]])
        #expect(store.state == [1, 2, 3, 4, 5])
    }

    @Test("a reader on another thread misses no change: it is notified of unread states")
    func concurrentReading() {
        let (store, changes) = (makeStore(), Collector<Int>())
        let read = Collector<[Int]>()
        DispatchQueue.concurrentPerform(iterations: 2) { thread in
            if thread == 0 {
                for action in 0..<500 { dispatcher.dispatch(action) }
            } else {
                for _ in 0..<500 { read.add(store.state) }
            }
        }
        #expect(read.values.allSatisfy { $0 == Array(0..<$0.count) })
        withObservationTracking {
            #expect(store.state.count == 500)
        } onChange: {
            changes.add(1)
        }
        dispatcher.dispatch(500)
        #expect(changes.values == [1])
    }
}
