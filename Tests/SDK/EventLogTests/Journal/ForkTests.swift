import EventModel
import Foundation
import LogFixtures
import Testing

@testable import EventLog

/// A child process that is forked, without a new program, from one that has a log open.
@Suite("A forked child")
struct ForkTests {
    #if os(Linux)
        @Test(
            "takes no event, counts no drop, and leaves its parent's log as it is",
            .disabled(
                if: dlsym(nil, "__tsan_init") != nil, "ThreadSanitizer can wait for ever in the child of many threads"))
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
            #expect(Self.answer(of: closed) == .refused)

            let child = fork()
            if child == 0 { _exit(Self.answer(of: store).rawValue) }
            // Waiting for the child -1 would take the end of any other test's child for its own.
            try #require(child > 0, "no process can be forked: \(String(cString: strerror(errno)))")
            #expect(Self.exitCode(of: child).flatMap(Answer.init) == .refused)
            #expect(try store.append().get().seq == 2)
            #expect(try await store.seqs() == [1, 2])
            #expect(try await store.ledger() == [])
        }

        @Test("that has not called exec yet holds no lock that its parent has given back")
        func spawned() throws {
            let folder = try LogFolder()
            let path = folder.path + ".lock"
            try PrivateFile.makeIfMissing(path)
            guard case .taken(let taken) = LifeLock.take(path) else {
                Issue.record("a new file is locked")
                return
            }
            var lock: LifeLock? = consume taken
            // The descriptor of such a child.
            let copy = dup(
                try #require((0..<1 << 16).first { Self.file(of: $0) == path }, "the lock has no descriptor"))
            defer { close(copy) }
            #expect(lock != nil && LifeLock.isHeld(path))
            lock = nil
            #expect(!LifeLock.isHeld(path))
        }

        /// The path of what a descriptor of this process is open for.
        private static func file(of descriptor: CInt) -> String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        }

        /// What a log answers to an event: the exit code of the child, so that a failure says what went wrong there.
        private enum Answer: CInt {
            case refused = 7
            /// The log asked for the line: it does not know that it was forked.
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

        /// What a child ended with; nil if it did not within a minute, and was killed, or if a signal ended it.
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
