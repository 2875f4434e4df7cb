internal import CThreadStack

/// How far down the stack of the calling thread may be used: recursion ends there, and not with a trap.
///
/// Threads differ: 8 MiB are usual, 512 KiB on Apple systems beside the main thread.
struct StackLimit {
    /// What is left for calls that do not ask, in bytes: those of a sanitizer's build are large.
    private static let reserve: UInt = 96 << 10

    private var lowest: UInt?

    /// Forgets the thread: the next text may be checked on another one.
    @inline(__always)
    mutating func begin() { lowest = nil }

    /// Whether there is no room for further recursion. Where the system does not say how large a stack is, there always is.
    ///
    /// - Parameter isDeep: Whether the recursion is so deep that the system is asked, which takes a while; once it was,
    ///   the answer holds at any depth.
    @inline(__always)
    mutating func isReached(isDeep: Bool) -> Bool {
        guard isDeep || lowest != nil else { return false }
        return UInt(thread_stack_position()) < lowest ?? ask()
    }

    @inline(never)
    private mutating func ask() -> UInt {
        let end = UInt(thread_stack_lowest_address())
        let lowest = end == 0 ? 0 : end &+ Self.reserve
        self.lowest = lowest
        return lowest
    }
}
