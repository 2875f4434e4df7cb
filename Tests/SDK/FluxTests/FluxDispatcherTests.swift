import Dispatch
import Primitives
import Testing

@testable import Flux

/// Collects values from any thread.
final class Collector<Value: Sendable>: Sendable {
    private let content = Locked<[Value]>([])
    var values: [Value] { content.withLock { $0 } }
    func add(_ value: Value) { content.withLock { $0.append(value) } }
}

@Suite("FluxDispatcher")
struct FluxDispatcherTests {
    let dispatcher = FluxDispatcher<Int>()
    let seen = Collector<String>()

    @Test("every subscriber sees every action, in order, before dispatch returns")
    func order() {
        let subscriptions = ["a", "b"].map { name in dispatcher.subscribe { [seen] in seen.add("\(name)\($0)") } }
        dispatcher.dispatch(1)
        dispatcher.dispatch(2)
        #expect(seen.values == ["a1", "b1", "a2", "b2"])
        withExtendedLifetime(subscriptions) {}
    }

    @Test("an action dispatched by a subscriber is delivered after the current one has reached all subscribers")
    func reentrancy() {
        let depth = Locked(0)
        let first = dispatcher.subscribe { [dispatcher, seen] action in
            let level = depth.withLock { depth in
                depth += 1
                return depth
            }
            seen.add("a\(action) at depth \(level)")
            if action < 3 {
                dispatcher.dispatch(action + 1)
                dispatcher.dispatch(action + 10)
            }
            depth.withLock { $0 -= 1 }
        }
        let second = dispatcher.subscribe { [seen] in seen.add("b\($0)") }
        dispatcher.dispatch(2)
        #expect(seen.values == ["a2 at depth 1", "b2", "a3 at depth 1", "b3", "a12 at depth 1", "b12"])
        withExtendedLifetime((first, second)) {}
    }

    @Test("while one thread delivers, another thread's action is queued, and delivered by the first")
    func twoThreads() {
        let (isDelivering, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let subscription = dispatcher.subscribe { [seen] action in
            seen.add("\(action) \(DispatchQueue.getSpecific(key: Self.key) ?? "other")")
            if action == 1 {
                isDelivering.signal()
                mayGoOn.wait()
            }
        }
        let first = DispatchQueue(label: "first")
        first.setSpecific(key: Self.key, value: "first")
        let isDone = DispatchSemaphore(value: 0)
        first.async { [dispatcher] in
            dispatcher.dispatch(1)
            isDone.signal()
        }
        isDelivering.wait()
        dispatcher.dispatch(2)  // returns immediately: the first thread is blocked
        #expect(seen.values == ["1 first"])
        mayGoOn.signal()
        isDone.wait()
        #expect(seen.values == ["1 first", "2 first"])
        withExtendedLifetime(subscription) {}
    }

    private static let key = DispatchSpecificKey<String>()

    @Test("with eight threads, all subscribers see all actions in the order of their creation")
    func manyThreads() {
        let made = Locked(0)
        let (left, right) = (Collector<Int>(), Collector<Int>())
        let subscriptions = [left, right].map { list in dispatcher.subscribe { list.add($0) } }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<500 {
                dispatcher.dispatch { location in
                    made.withLock { made in
                        made += 1
                        location.initialize(to: made)
                    }
                    return true
                }
            }
        }
        // Threads that only queued actions have returned, and so has the delivering thread.
        #expect(left.values == Array(1...4000))
        #expect(right.values == Array(1...4000))
        withExtendedLifetime(subscriptions) {}
    }

    @Test("a subscription ends with cancel, or with the release of its token")
    func ending() {
        let kept = dispatcher.subscribe { [seen] in seen.add("kept\($0)") }
        var dropped: FluxSubscription? = dispatcher.subscribe { [seen] in seen.add("dropped\($0)") }
        dispatcher.dispatch(1)
        dropped = nil
        dispatcher.dispatch(2)
        kept.cancel()
        kept.cancel()
        dispatcher.dispatch(3)
        #expect(seen.values == ["kept1", "dropped1", "kept2"])
        #expect(dropped == nil)
    }

    @Test("a subscription canceled during a delivery receives nothing more, even of that delivery")
    func cancelledDuringDelivery() {
        let second = Locked<FluxSubscription?>(nil)
        let first = dispatcher.subscribe { [seen] action in
            seen.add("first\(action)")
            second.withLock { $0 }?.cancel()
        }
        second.withLock { $0 = dispatcher.subscribe { [seen] in seen.add("second\($0)") } }
        dispatcher.dispatch(1)
        #expect(seen.values == ["first1"])
        withExtendedLifetime(first) {}
    }

    @Test("a subscriber that joins during a delivery sees later actions only")
    func joining() {
        let joined = Locked<FluxSubscription?>(nil)
        let first = dispatcher.subscribe { [dispatcher, seen] action in
            seen.add("first\(action)")
            guard action == 1 else { return }
            let late = dispatcher.subscribe { seen.add("late\($0)") }
            joined.withLock { $0 = late }
        }
        dispatcher.dispatch(1)
        dispatcher.dispatch(2)
        #expect(seen.values == ["first1", "first2", "late2"])
        withExtendedLifetime(first) {}
    }

    private final class Marker: Sendable {}

    @Test("subscribers that come and go while four threads dispatch don't affect the others")
    func comingAndGoing() {
        let kept = dispatcher.subscribe { [seen] in seen.add("\($0)") }
        let guests = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<500 {
                let marker = Marker()
                let guest = dispatcher.subscribe { _ in withExtendedLifetime(marker) { guests.withLock { $0 += 1 } } }
                dispatcher.dispatch(thread * 500 + number)
                if number.isMultiple(of: 2) { guest.cancel() }
            }
        }
        #expect(seen.values.sorted() == (0..<2000).map { "\($0)" }.sorted())
        #expect(guests.withLock { $0 } > 0)
        withExtendedLifetime(kept) {}
    }

    @Test("a subscriber's captures are released with it, even if it ends during a delivery")
    func lettingGo() {
        let own = Locked<FluxSubscription?>(nil)
        weak var held: Marker?
        do {
            let marker = Marker()
            held = marker
            let subscription = dispatcher.subscribe { _ in
                withExtendedLifetime(marker) { own.withLock { $0 = nil } }
            }
            own.withLock { $0 = subscription }
        }
        #expect(held != nil)
        dispatcher.dispatch(1)
        #expect(held == nil)
    }

    @Test("an action reuses the previous one, or is new while another is delivered")
    func renewing() {
        func dispatch(_ number: Int?) {
            dispatcher.dispatch { [seen] location, renews in
                seen.add(renews ? "\(location.pointee) before" : "none before")
                guard let number else { return false }
                if renews { location.pointee = number } else { location.initialize(to: number) }
                return true
            } retire: {
                $0 *= 100
            }
        }
        let subscription = dispatcher.subscribe { [dispatcher, seen] action in
            seen.add("\(action)")
            guard action == 2 else { return }
            dispatcher.dispatch { location, renews in
                seen.add(renews ? "renewed" : "not renewed")
                location.initialize(to: 20)
                return true
            } retire: { _ in
            }
            dispatcher.dispatch { _, _ in
                false
            } retire: { _ in
            }
        }
        for number in [nil, 1, nil, 2, 3] { dispatch(number) }
        #expect(
            seen.values == [
                "none before", "none before", "1", "100 before", "100 before", "2", "not renewed", "20", "200 before",
                "3",
            ])
        withExtendedLifetime(subscription) {}
    }

    @Test("an action that is not made is not delivered")
    func nothingMade() {
        let subscription = dispatcher.subscribe { [seen] in seen.add("\($0)") }
        dispatcher.dispatch { _ in false }
        dispatcher.dispatch(1)
        #expect(seen.values == ["1"])
        withExtendedLifetime(subscription) {}
    }
}
