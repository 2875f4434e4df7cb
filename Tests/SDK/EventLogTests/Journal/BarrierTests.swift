import Foundation
import GRDB
import LogFixtures
import Primitives
import Testing

@testable import EventLog

@Suite("A commit")
struct BarrierTests {
    @Test("waits for events sent before it, but not for a sender that never pauses")
    func barrier() async throws {
        let folder = try LogFolder()
        let store = try folder.open()
        let sent = Locked(0)
        // Send an event with every transaction of the mover.
        try await store.perform { worker in
            try worker.exclusively { db in
                db.trace { event in
                    let isNext = sent.withLock { count in
                        guard "\(event)".hasPrefix("COMMIT"), count < 30_000 else { return false }
                        count += 1
                        return true
                    }
                    if isNext { store.append() }
                }
            }
        }
        store.append()
        // A commit without its result, to measure its end rather than when the task resumes.
        let sentThen = try await store.perform { worker in
            let sentThen = sent.withLock { $0 }
            try worker.exclusively { db in db.trace() }
            return sentThen
        }
        #expect(sentThen < 30_000)
        try await store.commit()
        let count = sent.withLock { $0 } + 1
        #expect(try await store.seqs() == (1...count).map(Int64.init))
        try await store.close()
    }
}
