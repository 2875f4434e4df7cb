import Foundation
internal import Primitives

/// Threads that keep all processors busy.
final class BusyProcessors: Sendable {
    private let isOver = Locked(false)

    init() {
        for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
            Thread.detachNewThread { [isOver] in
                var random = SplitMix64(seed: 1)
                while !isOver.withLock({ $0 }) {
                    for _ in 0..<100_000 { _ = random.next() }
                }
            }
        }
    }

    func stop() { isOver.withLock { $0 = true } }
}
