import NIOCore
import NIOPosix
import Primitives
import Testing

@testable import CollectorServer

@Suite("Turns of addresses", .timeLimit(.minutes(10)))
struct AddressTurnsTests {
    /// A request that blocks its loop longer than a turn.
    private final class Request: Blocking {
        private let name: String
        private let ran: Locked<[String]>

        init(_ name: String, _ ran: Locked<[String]>) { (self.name, self.ran) = (name, ran) }

        func run(isLate: Bool) {
            let end = NIODeadline.now() + .milliseconds(5)
            while NIODeadline.now() < end {}
            ran.withLock { $0.append(isLate ? "\(name) late" : name) }
        }
    }

    @Test("On a busy loop each address has one request in turn, and other tasks run between them")
    func loop() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let ran = Locked<[String]>([])
        let loop = group.next()
        try await loop.submit {
            let turns = AllLoopTurns().turns(of: loop).value
            for name in ["a1", "a2", "a3", "b1", "c1", "a4"] {
                turns.add(Request(name, ran), of: name.hasPrefix("c") ? nil : String(name.prefix(1)))
            }
            loop.assumeIsolated().scheduleTask(in: .milliseconds(2)) { ran.withLock { $0.append("task") } }
        }.get()
        while ran.withLock({ $0.count }) < 7 { try await Task.sleep(for: .milliseconds(2)) }
        let order = ran.withLock { $0 }
        #expect(order.filter { $0 != "task" } == ["a1", "a2 late", "b1 late", "c1 late", "a3 late", "a4 late"])
        #expect(try #require(order.firstIndex(of: "task")) < 4)
        try await group.shutdownGracefully()
    }

    @Test("Addresses have turns on shared threads, and an error is that of its request")
    func threads() async throws {
        struct Failure: Error {}
        let threads = SharedThreads(count: 1)
        let (ran, isHeld) = (Locked<[String]>([]), Locked(true))
        async let first: Void = threads.run(of: "a") { while isHeld.withLock({ $0 }) {} }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["a1", "a2", "a3", "b1"] {
                group.addTask {
                    try await threads.run(of: String(name.prefix(1))) { ran.withLock { $0.append(name) } }
                }
            }
            while threads.waiting < 4 { await Task.yield() }
            isHeld.withLock { $0 = false }
            try await group.waitForAll()
        }
        try await first
        #expect(ran.withLock { $0.firstIndex(of: "b1") } ?? 4 < 2)
        await #expect(throws: Failure.self) { try await threads.run(of: nil) { throw Failure() } }
    }
}
