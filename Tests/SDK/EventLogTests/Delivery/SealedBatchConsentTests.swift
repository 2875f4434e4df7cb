import EventModel
import LogFixtures
import Testing

@testable import EventLog

/// A batch may have reached its consumer, so it stays the same, unless a change of consent forbids one of its events.
@Suite("Consent and a sealed batch")
struct SealedBatchConsentTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private static func answer(_ isGranted: Bool, of people: String...) -> ConsentChange {
        .answer(ConsentAnswer(isGranted ? .granted : .denied, people: people, time: EventTime(seconds: 100)))
    }

    @Test(
        "stays the same after a change that allows all of its events",
        arguments: StoreUnderTest.allCases,
        [
            answer(true, of: "ada"), answer(false, of: "eve"), answer(true, of: "eve", "ada"), answer(false, of: "new"),
            .policy(.assumed, person: "ada"), .policy(.required, person: "eve"), .policy(.required, person: "new"),
            .link(anonymous: "ada", user: "new", .assumed), .link(anonymous: "eve", user: "new", .required),
            .reset(former: "ada", wasAnonymous: false, anonymous: "new", .required),
            .reset(former: "eve", wasAnonymous: true, anonymous: "new", .required), answer(true, of: ""),
        ])
    func unchanged(store kind: StoreUnderTest, change: ConsentChange) async throws {
        let store = try kind.make(in: folder)
        // The events of eve are held.
        try await store.storeConsent(store.requireConsent(of: "eve"))
        for user in ["ada", "eve", "bob", "eve"] { store.append(user: user) }
        let batch = try #require(try await store.batch(for: "a"))
        #expect(batch.records.map(\.seq) == [1, 3])
        store.append(user: "eve")
        let noted = store.noteConsent(change)
        for isStored in [false, true] {
            if isStored { try await store.storeConsent(noted) }
            let again = try #require(try await store.batch(for: "a"))
            #expect(again.id == batch.id && again.records == batch.records && again.missing == batch.missing)
        }
        let lease = try #require(try await store.lease("a"))
        let settled = try await store.settle(
            lease, batch: batch.id, .delivered(through: 3, checkpoint: nil), pause: nil)
        #expect(settled != nil)
        // Then follow the events that were held, if they may be delivered now.
        let next = try await store.batch(for: "a")
        #expect(next?.records.allSatisfy { [2, 4, 5].contains($0.seq) } ?? true)
        #expect(
            (next?.records.count ?? 0)
                == (store.consent(of: "eve") == .granted || change == Self.answer(true, of: "") ? 2 : 0))
    }

    @Test(
        "is replaced after a change that forbids one of its events",
        arguments: StoreUnderTest.allCases,
        [
            (answer(false, of: "ada"), [2]), (answer(false, of: "bob", "new"), [1, 3]),
            (.policy(.required, person: "ada"), [2]), (.link(anonymous: "denier", user: "bob", .assumed), [1, 3]),
            (answer(false, of: ""), []),
        ])
    func replaced(store kind: StoreUnderTest, change: (ConsentChange, [Int64])) async throws {
        let store = try kind.make(in: folder)
        try await store.setConsent(.denied, of: ["denier"])
        for user in ["ada", "bob", "ada"] { store.append(user: user) }
        let batch = try #require(try await store.batch(for: "a"))
        #expect(batch.records.map(\.seq) == [1, 2, 3])
        let noted = store.noteConsent(change.0)
        // In effect before it is stored.
        let next = try await store.batch(for: "a")
        #expect(next?.id != batch.id && next?.records.map(\.seq) ?? [] == change.1)
        try await store.storeConsent(noted)
        let last = try await store.batch(for: "a")
        #expect(last?.records.map(\.seq) ?? [] == change.1)
        // The answer to the former batch changes nothing.
        let lease = try #require(try await store.lease("a"))
        let late = DeliveryResult.delivered(through: 3, checkpoint: nil)
        #expect(try await store.settle(lease, batch: batch.id, late, pause: nil) == nil)
    }
}
