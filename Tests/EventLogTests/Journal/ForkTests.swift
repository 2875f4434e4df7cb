import Foundation
import Testing

@testable import EventLog

/// A child process that is forked, without a new program, from one that has a log open.
@Suite("A forked child")
struct ForkTests {
    #if os(Linux)
        @Test("takes no event, counts no drop, and leaves its parent's log as it is")
        func child() async throws {
            // Swift hides fork(2), since most of what a program does is not safe in the child. Refusing is.
            typealias Fork = @convention(c) () -> pid_t
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
            let folder = try LogFolder()
            let store = try folder.open()
            store.append()
            try await store.commit()
            let child = fork()
            if child == 0 {
                let result = store.append(lineCapacity: 10) { _, _ in nil }
                store.recordDrop(.encoding)
                _exit(result == .failure(EventDropped(.closed)) ? 7 : 8)
            }
            var status: CInt = 0
            #expect(waitpid(child, &status, 0) == child)
            #expect(status >> 8 & 0xFF == 7)
            #expect(try store.append().get().seq == 2)
            #expect(try await store.seqs() == [1, 2])
            #expect(try await store.ledger() == [])
        }
    #endif
}
