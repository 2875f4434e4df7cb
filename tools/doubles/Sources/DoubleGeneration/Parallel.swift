internal import Dispatch
internal import Foundation

extension Array where Element: Sendable {
    /// Transforms all elements on all cores. The result is in order.
    func parallelMap<Result: Sendable>(_ transform: @Sendable (Element) -> Result) -> [Result] {
        let lock = NSLock()
        nonisolated(unsafe) var results = [Result?](repeating: nil, count: count)  // under the lock
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = transform(self[index])
            lock.withLock { results[index] = result }
        }
        return results.compactMap(\.self)
    }
}
