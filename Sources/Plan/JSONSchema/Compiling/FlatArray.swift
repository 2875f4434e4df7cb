/// Values without references in memory of their own, which is never changed and never moves: reading one counts nothing
/// and checks nothing.
// Sendable without a lock: nothing writes after `init`.
final class FlatArray<Element: BitwiseCopyable>: @unchecked Sendable {
    let base: UnsafePointer<Element>
    let count: Int
    private let memory: UnsafeMutablePointer<Element>

    init(_ elements: [Element]) {
        count = elements.count
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(count, 1))
        elements.withUnsafeBufferPointer { source in
            if let first = source.baseAddress { memory.initialize(from: first, count: source.count) }
        }
        self.memory = memory
        base = UnsafePointer(memory)
    }

    deinit { memory.deallocate() }
}
