import CollectorFixtures
import DeliveryProtocol
import EventModel
import GRDB
import Testing

@testable import CollectorStore

@Suite("The cost of erasures by installs")
struct ErasureCostTests {
    private let folder: DataFolder
    private let phone = Phone("install-a")

    init() throws { folder = try DataFolder() }

    private func erase(_ store: BatchStore, _ request: InstallErasure) async throws -> ErasureReceipt? {
        let outcome = try await store.erase(request, receivedAt: .init(microseconds: 2_000_000))
        return if case .accepted(let receipt, _) = outcome { receipt } else { nil }
    }

    @Test(
        "Requests for unknown users need no round, leave the segments as they are, and still keep out the users' lines")
    func unknownUsers() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...10))
            for number in 1...200 {
                let receipt = try await erase(store, phone.erasure(number, of: "absent-\(number)", through: 50))
                #expect(receipt?.events == 0 && receipt?.marked == 0)
            }
            #expect(try await erase(store, Phone("install-new").erasure(1, of: "absent-0"))?.through == 0)
            #expect(try !store.hasPendingErasures())
            #expect(try await store.eraseReported() == ErasureReport())
            let late = Phone("install-a", user: { _ in "absent-7" })
            #expect(try await store.submit(late.batch(2, 11...12)).receipt?.erased == [11...12])
            let again = try await erase(store, phone.erasure(7, of: "absent-7", through: 50))
            #expect(again?.marked == 0)
        }
        for file in try folder.allFiles() {
            #expect(try folder.bytes(file).firstRange(of: Array("absent-".utf8)) == nil, "\(file)")
        }
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }

    @Test(
        "A request for a user without events needs a round if the install has rejected lines", arguments: [true, false])
    func rejects(isNewer: Bool) async throws {
        try await folder.with { store in
            if !isNewer { _ = try await store.submit(phone.batch(1, 1...3, rejecting: [2])) }
            let searched = try store.search(phone.erasure(1, of: "absent"), receivedAt: .init(microseconds: 1))
            if isNewer { _ = try await store.submit(phone.batch(1, 1...3, rejecting: [2])) }
            guard case .accepted = try await store.erase(searched) else {
                Issue.record("the erasure was rejected")
                return
            }
            #expect(try store.hasPendingErasures())
            _ = try await store.eraseReported()
            #expect(try !store.hasPendingErasures())
        }
    }

    @Test("An index of an earlier version gets the index by which erased users are found")
    func olderIndex() async throws {
        try await folder.with { store in _ = try await store.submit(phone.batch(1, 1...3)) }
        try folder.execute("DROP INDEX erasures_by_user")
        try await folder.with { _ in }
        let queue = try DatabaseQueue(path: folder.file("index.sqlite"))
        let plan = try await queue.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN SELECT max(through) FROM erasures WHERE install = 1 AND user = x'00'"
            ).map { "\($0)" }.joined()
        }
        #expect(plan.contains("erasures_by_user"))
    }
}
