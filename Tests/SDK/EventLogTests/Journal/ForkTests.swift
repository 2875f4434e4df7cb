import EventModel
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
            // What a type needs at its first use is made under locks of the runtime. Another thread may hold one when the
            // child begins, and nobody lets go of it there: so everything is used once before.
            let other = try LogFolder()
            let closed = try other.open()
            try await closed.close()
            #expect(Self.refuses(closed))

            let child = fork()
            if child == 0 { _exit(Self.refuses(store) ? 7 : 8) }
            #expect(Self.exitCode(of: child) == 7)
            #expect(try store.append().get().seq == 2)
            #expect(try await store.seqs() == [1, 2])
            #expect(try await store.ledger() == [])
        }

        private static func refuses(_ store: SQLiteEventStore) -> Bool {
            store.recordDrop(.encoding)
            return store.append(lineCapacity: 10) { _, _ in nil } == .failure(EventDropped(.closed))
        }

        /// What a child ended with; nil if it did not within a minute, and was killed.
        private static func exitCode(of child: pid_t) -> CInt? {
            var status: CInt = 0
            for _ in 0..<6000 {
                if waitpid(child, &status, WNOHANG) == child { return status & 0x7F == 0 ? status >> 8 & 0xFF : nil }
                usleep(10_000)
            }
            kill(child, SIGKILL)
            waitpid(child, &status, 0)
            return nil
        }
    #endif
}
