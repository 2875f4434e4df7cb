import Primitives

/// Numbers added by callbacks, in order.
final class Counts: Sendable {
    private let numbers = Locked<[Int]>([])

    var all: [Int] { numbers.withLock { $0 } }

    func add(_ number: Int = 1) { numbers.withLock { $0.append(number) } }
}
