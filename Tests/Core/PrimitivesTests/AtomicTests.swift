import Dispatch
import Testing

@testable import Primitives

@Suite("Atomics") struct AtomicTests {
    @Test("stored values are loaded: booleans, integers, pointers, nil")
    func values() {
        func isKept<Value: AtomicRepresentable & Equatable>(_ first: Value, _ second: Value) -> Bool {
            let atomic = Atomic(first)
            guard atomic.load(ordering: .relaxed) == first else { return false }
            atomic.store(second, ordering: .releasing)
            guard atomic.load(ordering: .acquiring) == second else { return false }
            return atomic.exchange(first, ordering: .acquiringAndReleasing) == second
                && atomic.load(ordering: .sequentiallyConsistent) == first
        }
        #expect(isKept(false, true))
        #expect(isKept(Int.min, Int.max))
        #expect(isKept(Int32.min, -1))
        #expect(isKept(UInt8.min, .max))
        #expect(isKept(UInt64.min, .max))
        withUnsafeTemporaryAllocation(byteCount: 2, alignment: 1) { memory in
            guard let start = memory.baseAddress else { return }
            #expect(isKept(start, start + 1))
        }
        let object = Counted()
        let reference = Atomic<Unmanaged<Counted>?>(nil)
        #expect(reference.load(ordering: .acquiring) == nil)
        reference.store(.passUnretained(object), ordering: .releasing)
        #expect(reference.load(ordering: .acquiring)?.takeUnretainedValue() === object)
        #expect(reference.exchange(nil, ordering: .acquiring)?.takeUnretainedValue() === object)
        #expect(reference.load(ordering: .acquiring) == nil)
    }

    @Test("an exchange happens only for the expected value, and returns the previous value")
    func exchanges() {
        let atomic = Atomic(1)
        #expect(atomic.compareExchange(expected: 2, desired: 3, ordering: .relaxed) == (false, 1))
        #expect(
            atomic.compareExchange(
                expected: 1, desired: 3, successOrdering: .sequentiallyConsistent, failureOrdering: .acquiring)
                == (true, 1))
        #expect(atomic.weakCompareExchange(expected: 4, desired: 5, ordering: .releasing) == (false, 3))
        #expect(atomic.load(ordering: .relaxed) == 3)
    }

    @Test("addition wraps at the type's size, and the sum compares as the type's value")
    func wrapping() {
        func wraps<Value: FixedWidthInteger & AtomicRepresentable>(_: Value.Type) -> Bool {
            let atomic = Atomic(Value.max)
            let (old, new) = atomic.wrappingAdd(1, ordering: .relaxed)
            return old == .max && new == .min && atomic.load(ordering: .relaxed) == .min
                && atomic.compareExchange(expected: .min, desired: 7, ordering: .relaxed).exchanged
        }
        #expect(wraps(Int.self))
        #expect(wraps(Int32.self))
        #expect(wraps(UInt8.self))
        #expect(wraps(UInt64.self))
        let atomic = Atomic<Int32>(-2)
        #expect(atomic.wrappingAdd(-3, ordering: .acquiringAndReleasing) == (-2, -5))
    }

    @Test("a word in external memory is changed in place, without its neighbors")
    func words() {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 3) { memory in
            memory.initialize(repeating: 0b100)
            guard let start = memory.baseAddress else { return }
            let word = AtomicWord(start + 1)
            #expect(word.bitwiseOr(0b011, ordering: .sequentiallyConsistent) == (0b100, 0b111))
            #expect(word.bitwiseAnd(~0b001, ordering: .acquiringAndReleasing) == (0b111, 0b110))
            word.max(5, ordering: .sequentiallyConsistent)
            #expect(word.load(ordering: .acquiring) == 6)
            word.max(9, ordering: .sequentiallyConsistent)
            #expect(word.wrappingAdd(.max, ordering: .relaxed) == (9, 8))
            #expect(word.exchange(1, ordering: .relaxed) == 8)
            word.store(2, ordering: .sequentiallyConsistent)
            #expect(word.weakCompareExchange(expected: 3, desired: 4, ordering: .relaxed) == (false, 2))
            #expect(Array(memory) == [0b100, 2, 0b100])
        }
    }

    @Test("no addition of eight threads is lost")
    func additions() {
        let sum = Counted()
        let byLoop = Counted()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 {
                sum.count.wrappingAdd(1, ordering: .relaxed)
                var (isAdded, old) = (false, byLoop.count.load(ordering: .relaxed))
                while !isAdded {
                    (isAdded, old) = byLoop.count.weakCompareExchange(
                        expected: old, desired: old + 1, ordering: .relaxed)
                }
            }
        }
        #expect(sum.count.load(ordering: .relaxed) == 80_000)
        #expect(byLoop.count.load(ordering: .relaxed) == 80_000)
    }

    // For ThreadSanitizer: only the flag orders accesses to the plain memory.
    @Test("writes before a release are visible after the matching acquire")
    func publication() {
        final class Message: @unchecked Sendable {  // the flag orders the accesses
            var text: [Int] = []
            let isThere = Atomic(false)
        }
        for round in 0..<200 {
            let message = Message()
            DispatchQueue.concurrentPerform(iterations: 2) { side in
                if side == 0 {
                    message.text = [round, round + 1]
                    message.isThere.store(true, ordering: .releasing)
                } else {
                    while !message.isThere.load(ordering: .acquiring) {}
                    #expect(message.text == [round, round + 1])
                }
            }
        }
    }

    // Each thread stores to its own word and loads the other's: at least one must see the other's store.
    @Test("sequentially consistent stores and loads are not reordered")
    func oneOrder() {
        for _ in 0..<500 {
            let words = [Counted(), Counted()]
            let seen = Locked<[Int]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { side in
                words[side].count.store(1, ordering: .sequentiallyConsistent)
                let other = words[1 - side].count.load(ordering: .sequentiallyConsistent)
                seen.withLock { $0.append(other) }
            }
            #expect(seen.withLock { $0.contains(1) })
        }
    }

    @Test("threads that store a reference at the same time agree on one, and it is released with its owner")
    func lazyReferences() {
        final class Holder: Sendable { let reference = AtomicLazyReference<Counted>() }
        weak var kept: Counted?
        do {
            let holder = Holder()
            #expect(holder.reference.load() == nil)
            let given = Locked<Set<ObjectIdentifier>>([])
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                let stored = holder.reference.storeIfNil(Counted())
                given.withLock { _ = $0.insert(ObjectIdentifier(stored)) }
            }
            kept = holder.reference.load()
            #expect(given.withLock { $0 } == kept.map { [ObjectIdentifier($0)] })
        }
        #expect(kept == nil)
    }
}

private final class Counted: Sendable {
    let count = Atomic(0)
}
