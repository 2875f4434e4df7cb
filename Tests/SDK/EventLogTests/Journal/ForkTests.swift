import EventModel
import Foundation
import LogFixtures
import Testing

@testable import EventLog

/// A child process forked, without exec, from a process that has a log open.
@Suite("A forked child")
struct ForkTests {
    #if os(Linux)
        @Test(
            "rejects events, counts no drop, and does not change its parent's log",
            .disabled(
                if: dlsym(nil, "__tsan_init") != nil, "ThreadSanitizer can deadlock in the child of many threads"))
        func child() async throws {
            // Swift hides fork(2), because most operations are not safe in the child. Rejecting an event is safe.
            typealias Fork = @convention(c) () -> pid_t
            let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
            let folder = try LogFolder()
            let store = try folder.open()
            store.append()
            try await store.commit()
            // Types are initialized at their first use under locks of the runtime. Another thread may hold such a lock
            // during the fork, and the child would wait for it forever. So use everything once before.
            let other = try LogFolder()
            let closed = try other.open()
            try await closed.close()
            #expect(Self.answer(of: closed) == .refused)

            let child = fork()
            if child == 0 { _exit(Self.answer(of: store).rawValue) }
            // Waiting for the child -1 would also reap other tests' children.
            try #require(child > 0, "cannot fork: \(String(cString: strerror(errno)))")
            #expect(Self.exitCode(of: child).flatMap(Answer.init) == .refused)
            #expect(try store.append().get().seq == 2)
            #expect(try await store.seqs() == [1, 2])
            #expect(try await store.ledger() == [])
        }

        @Test("holds no lock that its parent has released, even before exec")
        func spawned() throws {
            let folder = try LogFolder()
            let path = folder.path + ".lock"
            try PrivateFile.makeIfMissing(path)
            guard case .acquired(let acquired) = LifeLock.acquire(path) else {
                Issue.record("cannot lock a new file")
                return
            }
            var lock: LifeLock? = consume acquired
            // The descriptor in such a child.
            let copy = dup(
                try #require((0..<1 << 16).first { Self.file(of: $0) == path }, "no descriptor for the lock"))
            defer { close(copy) }
            #expect(lock != nil && LifeLock.isHeld(path))
            lock = nil
            #expect(!LifeLock.isHeld(path))
        }

        /// The path of the file that a descriptor of this process refers to.
        private static func file(of descriptor: CInt) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        }

        /// The log's answer to an event, as the exit code of the child, so that a failure shows what went wrong.
        private enum Answer: CInt {
            case refused = 7
            /// The log called for the line, so it does not know that it was forked.
            case askedForLine = 8
            case refusedForAnotherReason = 9
            case taken = 10
        }

        private static func answer(of store: SQLiteEventStore) -> Answer {
            store.recordDrop(.encoding)
            var isAsked = false
            let result = store.append(lineCapacity: 10) { _, _ in
                isAsked = true
                return nil
            }
            if isAsked { return .askedForLine }
            guard case .failure(let drop) = result else { return .taken }
            return drop.reason == .closed ? .refused : .refusedForAnotherReason
        }

        /// The exit code of a child; nil if a signal ended it, or if it was killed after a minute.
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
