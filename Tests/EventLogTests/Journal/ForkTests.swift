import Foundation
import Testing

@testable import EventLog

/// A process that was forked has its parent's ring and lock in its memory, and must touch neither.
@Suite("A fork")
struct ForkTests {
    @Test("a forked child's appends and drops are refused, and the parent goes on undisturbed")
    func forkedChild() async throws {
        let folder = try LogFolder()
        let store = try folder.open()
        store.append()
        // Swift offers no fork, because a child of several threads may do next to nothing: here it only appends.
        let symbol = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"))
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 {
            let result = store.append(lineCapacity: 10) { _, _ in nil }
            store.recordDrop(.tooLarge)
            if case .failure(let drop) = result, drop.reason == .closed { _exit(7) }
            _exit(1)
        }
        try #require(child > 0)
        var status: CInt = 0
        while waitpid(child, &status, 0) < 0 { try #require(errno == EINTR) }
        #expect(status == 7 << 8)
        #expect(try store.append().get().seq == 2)
        #expect(try await store.seqs() == [1, 2])
        #expect(try await store.ledger() == [])
        try await store.close()
    }
}
