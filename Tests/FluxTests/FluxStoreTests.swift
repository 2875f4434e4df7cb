import Observation
import Locking
import Testing

@testable import Flux

@Suite("FluxStore")
struct FluxStoreTests {
    let dispatcher = FluxDispatcher<Int>()

    private func makeStore() -> FluxStore<[Int], Int> {
        FluxStore([], dispatcher: dispatcher) { state, action in state.append(action) }
    }

    @Test("the state is the fold of the actions, at once")
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

    @Test("as an async sequence it gives the current state, each later one, and ends with the store")
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

    @Test("observation tells of the first change after a read")
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

    @Test("a store goes away with its last owner, and its subscription with it")
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
}
