import EventModel
import Foundation
import GRDB
import LogFixtures
import Primitives
import Testing

@testable import EventLog

/// Consent: in all instances, in the database, in the mirror, and the removals after an opt-out.
@Suite("Consent in a log")
struct ConsentTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func append(_ marker: String, of user: String, to store: SQLiteEventStore) {
        _ = store.append(lineCapacity: 2000) { seq, line in
            let text = Array(#"{"seq":\#(seq),"user_id":"\#(user)","text":"\#(marker)"}"#.utf8)
            line.copyBytes(from: text)
            let record = EventRecord.numbered(seq)
            return EventStamp(id: record.id, time: record.time, name: "n", lineLength: text.count)
        }
    }

    @Test("every instance sees a change immediately, and after a restart")
    func everywhere() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        let generation = second.consentGeneration
        #expect(second.consent(of: "ada") == nil)
        try await first.setConsent(.denied, of: ["ada"])
        #expect(second.consentGeneration != generation)
        #expect(second.consent(of: "ada") == .denied && second.consent(of: "bob") == nil)
        try await second.setConsent(.granted, of: ["ada"])
        #expect(first.consent(of: "ada") == .granted)
        for person in ["ada", "bob"] { try await first.storeConsent(first.requireConsent(of: person)) }
        #expect(second.consent(of: "ada") == .granted && second.consent(of: "bob") == .unknown)
        try await first.close()
        try await second.close()
        let next = try folder.open()
        #expect(next.consent(of: "ada") == .granted && next.consent(of: "bob") == .unknown)
    }

    @Test("a damaged or new control file gets its mirror back; in the meantime the process knows what it knew")
    func mirror() async throws {
        let store = try folder.open()
        try await store.setConsent(.granted, of: ["ada"])
        #expect(store.consent(of: "ada") == .granted)
        let control = folder.journal + "/control"
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: control))
        // Flip a bit of the mirror.
        try handle.seek(toOffset: UInt64(JournalControl.consentsOffset + 128))
        try handle.write(contentsOf: Data([0xFF]))
        #expect(store.consent(of: "ada") == .granted && !store.consents.mirror.isIntact)
        // Another process may have denied.
        // On the log's queue, which reads the database again afterwards.
        try await store.perform { _ in
            store.consents.mirror.change()
            #expect(store.consent(of: "ada") == .unknown && store.consent(of: "bob") == .unknown)
        }
        try await store.flushToDisk()
        #expect(store.consent(of: "ada") == .granted && store.consent(of: "bob") == nil)
        #expect(store.consents.mirror.isIntact)
        _ = store.requireConsent(of: "eve")
        unlink(control)
        try await store.flushToDisk()
        #expect(store.consent(of: "ada") == .granted && store.consent(of: "eve") == .unknown)
    }

    private static func answer(_ isGranted: Bool, of people: String...) -> ConsentChange {
        .answer(ConsentAnswer(isGranted ? .granted : .denied, people: people, time: EventTime(seconds: 100)))
    }

    @Test(
        "a change that was only in the control file when its process ended is kept",
        arguments: [
            (answer(false, of: "ada"), Consent.denied), (answer(true, of: "ada"), .granted),
            (.policy(.required, person: "ada"), .unknown),
            (.link(anonymous: "eve", user: "ada", .assumed), .denied),
        ], [true, false])
    func interrupted(change: (ConsentChange, Consent), isAlone: Bool) async throws {
        let consent = change.1
        var first: SQLiteEventStore? = try folder.open()
        if consent == .denied { try await first?.setConsent(.denied, of: ["eve"]) }
        if consent == .granted { try await first?.storeConsent(#require(first?.requireConsent(of: "ada"))) }
        for marker in ["before", "after"] {
            append("ada-\(marker)", of: "ada", to: try #require(first))
            append("bob-\(marker)", of: "bob", to: try #require(first))
        }
        let second = isAlone ? nil : try folder.open()
        // Ends without closing the log, before anything could be stored. Its mover would otherwise keep the log for
        // some pauses.
        _ = first?.noteConsent(change.0)
        try await first?.perform { worker in worker.abandon() }
        first = nil
        if let second { try await second.close() }
        for _ in 1...3 {
            let store = try folder.open()
            #expect(store.consent(of: "ada") == consent && store.consent(of: "bob") == nil)
            let batch = try await store.batch(for: "a")
            #expect(batch?.records.map(\.seq) == (consent == .granted ? [1, 2, 3, 4] : [2, 4]))
            try await store.close()
        }
        let optedOut = try EventLogReader(path: folder.path).ledger().filter { $0.reason == .optedOut }
        #expect(optedOut.reduce(0) { $0 + $1.count } == (consent == .denied ? 2 : 0))
        #expect(try folder.files(with: "ada-").isEmpty == (consent == .denied))
        // The next answer replaces it.
        let store = try folder.open()
        try await store.setConsent(consent == .denied ? .granted : .denied, of: ["ada"])
        try await store.close()
        #expect(try folder.open().consent(of: "ada") == (consent == .denied ? .granted : .denied))
    }

    @Test(
        "a sign-in that was only in the control file when its process ended is kept: the user's answers decide about earlier events",
        arguments: [true, false])
    func interruptedSignIn(hasAnswered: Bool) async throws {
        var first: SQLiteEventStore? = try folder.open()
        append("anonymous", of: "device", to: try #require(first))
        if hasAnswered { _ = first?.noteConsent(Self.answer(true, of: "device")) }
        _ = first?.noteConsent(.link(anonymous: "device", user: "ada", .assumed))
        try await first?.perform { worker in worker.abandon() }
        first = nil
        let store = try folder.open()
        // On another device id.
        try await store.setConsent(.denied, of: ["ada"])
        #expect(store.consent(of: "device") == .denied)
        #expect(try await store.batch(for: "a") == nil)
        try await store.close()
        #expect(try folder.files(with: "anonymous").isEmpty)
    }

    @Test("a denial that only the control file had when its process ended is also valid for former devices")
    func interruptedDenial() async throws {
        var first: SQLiteEventStore? = try folder.open()
        append("anonymous", of: "device", to: try #require(first))
        append("others", of: "bob", to: try #require(first))
        let link = first?.noteConsent(.link(anonymous: "device", user: "ada", .assumed))
        try await first?.storeConsent(#require(link))
        // The present device is another one.
        _ = first?.noteConsent(Self.answer(false, of: "ada"))
        try await first?.perform { worker in worker.abandon() }
        first = nil
        let store = try folder.open()
        #expect(store.consent(of: "device") == .denied && store.consent(of: "bob") == nil)
        #expect(try await store.batch(for: "a")?.records.map(\.seq) == [2])
        try await store.close()
        #expect(try folder.files(with: "anonymous").isEmpty)
    }

    @Test("events that are sent after an agreement stay, also while the events of an earlier denial are being removed")
    func agreementDuringRemoval() async throws {
        let store = try folder.open()
        append("ada-before", of: "ada", to: store)
        try await store.commit()
        let denial = store.noteConsent(Self.answer(false, of: "ada"))
        let agreement = Locked<NumberedConsentChange?>(nil)
        let observer = FirstCommit {
            agreement.withLock { $0 = store.noteConsent(Self.answer(true, of: "ada")) }
            append("ada-after", of: "ada", to: store)
        }
        try await store.perform { worker in worker.database.add(transactionObserver: observer) }
        try await store.storeConsent(denial)
        try await store.storeConsent(#require(agreement.withLock { $0 }))
        #expect(try await store.batch(for: "a")?.records.map(\.seq) == [2])
        #expect(
            try await store.ledger() == [LedgerEntry(reason: .optedOut, consumer: nil, count: 1, seqs: 1...1)])
    }

    /// Calls a closure after the first commit.
    private final class FirstCommit: TransactionObserver, Sendable {
        private let action: Locked<(@Sendable () -> Void)?>

        init(_ action: @escaping @Sendable () -> Void) { self.action = Locked(action) }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidRollback(_ db: Database) {}
        func databaseDidCommit(_ db: Database) {
            action.withLock { action in
                defer { action = nil }
                return action
            }?()
        }
    }

    @Test("an adopted denial is stored together with the marker for its events, or not at all")
    func adoptedWhole() throws {
        let memory = SharedMemory(ConsentMirror.size + 8)
        let mirror = ConsentMirror(memory)
        mirror.merge([:])
        mirror.put(ConsentRecord(.denied, number: 7), of: ConsentMirror.key(of: "ada"))
        try DatabaseQueue().inDatabase { db in
            try DatabaseSchema.createIfEmpty(db) { "install-1" }
            try db.execute(
                sql: "CREATE TRIGGER fails BEFORE INSERT ON discards BEGIN SELECT RAISE(ABORT, 'fails'); END")
            #expect(throws: DatabaseError.self) { try Consents.adopt(mirror, ["ads"], drawn: 9, db) }
            #expect(try Consents.all(db).isEmpty)
            try db.execute(sql: "DROP TRIGGER fails")
            try Consents.adopt(mirror, ["ads"], drawn: 9, db)
            #expect(try Consents.record(at: ConsentMirror.key(of: "ada"), db) == ConsentRecord(.denied, number: 7))
            #expect(try Int64.fetchAll(db, sql: "SELECT through_seq FROM discards") == [9])
        }
    }

    @Test("a user known only by key keeps that answer until the next one")
    func keyOnly() async throws {
        let store = try folder.open()
        _ = store.noteConsent(Self.answer(false, of: "ada"))
        try await store.close()
        let next = try folder.open()
        try await next.storeConsent(next.requireConsent(of: "ada"))
        #expect(next.consent(of: "ada") == .denied)
        // Discards the user's events from senders that do not know of the denial.
        append("late", of: "ada", to: next)
        append("late", of: "bob", to: next)
        #expect(try await next.all().map(\.seq) == [2])
        try await next.close()
        let last = try folder.open()
        #expect(last.consent(of: "ada") == .denied)
        try await last.setConsent(.granted, of: ["ada"])
        #expect(last.consent(of: "ada") == .granted)
        #expect(
            try EventLogReader(path: folder.path).consents()[EventLogReader.key(of: "ada", for: .analytics)]?.state
                == .granted)
    }

    @Test("an answer whose process ended before it announced the change is in effect at the next move and delivery")
    func unannounced() async throws {
        let store = try folder.open()
        try await store.setConsent(.denied, of: ["ada"])
        #expect(store.consent(of: "ada") == .denied)
        let mirror = store.consents.mirror
        mirror.put(ConsentRecord(.granted, number: mirror.draw()), of: ConsentSubject("ada", for: .analytics).key)
        append("x", of: "ada", to: store)
        #expect(try await store.batch(for: "a")?.records.map(\.seq) == [1])
        #expect(store.consent(of: "ada") == .granted)
        mirror.put(ConsentRecord(.denied, number: mirror.draw()), of: ConsentSubject("ada").key)
        append("x", of: "ada", to: store)
        try await store.commit()
        #expect(try await store.seqs() == [1])
    }

    @Test("people without a slot are known in each process, also after changes of another one")
    func overflow() async throws {
        let (store, other) = (try folder.open(), try folder.open())
        try await store.setConsent(.denied, of: (0..<ConsentMirror.slotCount).map { "user-\($0)" })
        let change = store.requireConsent(of: "another")
        #expect(store.consent(of: "another") == .unknown && store.consent(of: "one-more") == nil)
        // The other process must read the database, and stores events in the meantime.
        #expect(other.consentRecord(of: ConsentSubject("another")) == .unreadable)
        #expect(other.consentRecord(of: ConsentSubject("user-7"))?.state == .denied)
        append("x", of: "another", to: other)
        append("x", of: "yet-another", to: other)
        try await store.storeConsent(change)
        try await store.setConsent(.denied, of: ["one-more"])
        // Soon, without another operation.
        let end = ContinuousClock.now + .seconds(30)
        while other.consentRecord(of: ConsentSubject("one-more"))?.state == .unreadable, ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(other.consentRecord(of: ConsentSubject("one-more"))?.state == .denied)
        #expect(other.consent(of: "another") == .unknown && other.consent(of: "unknown") == nil)
        #expect(try await other.batch(for: "a")?.records.map(\.seq) == [2])
        try await other.storeConsent(other.noteConsent(.link(anonymous: "one-more", user: "yet-another", .assumed)))
        try await store.flushToDisk()
        #expect(["yet-another", "one-more"].map { store.consent(of: $0) } == [.denied, .denied])
        #expect(try await store.seqs() == [1])
        for store in [store, other] { try await store.close() }
        let next = try folder.open()
        #expect(
            ["one-more", "user-7", "another", "unknown"].map { next.consent(of: $0) } == [
                .denied, .denied, .unknown, nil,
            ])
    }

    @Test("changes from many threads are visible to all instances when the call returns, with different numbers")
    func noted() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        try await first.setConsent(.denied, of: ["user-3"])
        let changes = await withTaskGroup { group in
            for thread in 0..<8 {
                group.addTask {
                    (0..<60).map { number in
                        let change = (thread % 2 == 0 ? first : second).requireConsent(of: "user-\(number)")
                        #expect(first.consent(of: "user-\(number)") == (number == 3 ? .denied : .unknown))
                        return change
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(changes.map(\.number)).count == 8 * 60)
        // Each user has one slot.
        #expect(second.consent(of: "other") == nil)
        for change in changes where !change.records.isEmpty { try await second.storeConsent(change) }
        #expect(try await first.perform { worker in try worker.reading { try Consents.all($0).count } } == 60)
    }

    @Test("the later answer wins, in whatever order they are stored", arguments: [true, false])
    func order(isGranted: Bool) async throws {
        let (first, second) = (try folder.open(), try folder.open())
        let (one, other) = (
            first.noteConsent(Self.answer(!isGranted, of: "ada")), second.noteConsent(Self.answer(isGranted, of: "ada"))
        )
        for change in [other, one, other] { try await first.storeConsent(change) }
        for store in [first, second] { #expect(store.consent(of: "ada") == (isGranted ? .granted : .denied)) }
        let reader = try EventLogReader(path: folder.path)
        #expect(try reader.answers().map(\.isGranted) == [!isGranted, isGranted])
        for store in [first, second] { try await store.close() }
        let purpose = isGranted ? Purpose.analytics : nil
        #expect(
            try reader.consents()[EventLogReader.key(of: "ada", for: purpose)]
                == other.records[ConsentSubject("ada", for: purpose)])
    }

    @Test("a grant that is not stored yet keeps new events from being discarded for an earlier denial")
    func grantBeforeStoring() async throws {
        let store = try folder.open()
        try await store.setConsent(.denied, of: ["ada"])
        let change = store.noteConsent(Self.answer(true, of: "ada"))
        append("x", of: "ada", to: store)
        #expect(try await store.seqs() == [1])
        #expect(try await store.batch(for: "a")?.records.map(\.seq) == [1])
        try await store.storeConsent(change)
        #expect(try await store.seqs() == [1])
    }

    @Test("an answer for everyone decides for all lines", arguments: StoreUnderTest.allCases)
    func everyone(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        try await store.setConsent(.denied, of: ["ada"])
        try await store.setConsent(.granted, of: [ConsentRule.everyone])
        store.append(user: "ada")
        store.append()
        #expect(try await store.batch(for: "a")?.records.map(\.seq) == [1, 2])
        try await store.setConsent(.denied, of: [ConsentRule.everyone])
        #expect(try await store.seqs() == [])
        store.append()
        #expect(try await store.seqs() == [])
        #expect(try await store.ledger().map { [$0.reason.rawValue, "\($0.count)"] } == [["opted-out", "3"]])
        try await store.setConsent(.granted, of: [ConsentRule.everyone])
        store.append(user: "bob")
        #expect(try await store.seqs() == [4])
    }

    @Test(
        "events that wait for an anonymous person's answer are removed as unanswered; those of a user stay",
        arguments: StoreUnderTest.allCases, [true, false])
    func abandoned(store kind: StoreUnderTest, wasAnonymous: Bool) async throws {
        let store = try kind.make(in: folder)
        try await store.storeConsent(store.requireConsent(of: "former"))
        for user in ["former", "bob", "former"] { store.append(user: user) }
        let change = store.noteConsent(
            .reset(former: "former", wasAnonymous: wasAnonymous, anonymous: "new", .required))
        try await store.storeConsent(change)
        #expect(store.consentRecord(of: ConsentSubject("new"))?.state == .required)
        #expect(try await store.seqs() == (wasAnonymous ? [2] : [1, 2, 3]))
        #expect(
            try await store.ledger().map { [$0.reason.rawValue, "\($0.count)"] }
                == (wasAnonymous ? [["unanswered", "2"]] : []))
    }

    @Test(
        "events of an abandoned anonymous person are removed by the next process if this one ends before",
        arguments: [1, 2])
    func abandonedByKilled(starts: Int) async throws {
        var first: SQLiteEventStore? = try folder.open()
        try await first?.storeConsent(#require(first?.requireConsent(of: "former")))
        for user in ["former", "bob", "former"] { append("x", of: user, to: try #require(first)) }
        _ = first?.noteConsent(.reset(former: "former", wasAnonymous: true, anonymous: "new", .required))
        try await first?.perform { worker in worker.abandon() }
        first = nil
        for _ in 1...starts {
            let store = try folder.open()
            #expect(try await store.seqs() == [2])
            #expect(store.consentRecord(of: ConsentSubject("new"))?.state == .required)
            #expect(try await store.ledger().map { [$0.reason.rawValue, "\($0.count)"] } == [["unanswered", "2"]])
            try await store.close()
        }
    }

    @Test(
        "a user's later answer is also valid for the anonymous person who turned out to be this user",
        arguments: StoreUnderTest.allCases, [ConsentPolicy.assumed, .required])
    func linked(store kind: StoreUnderTest, policy: ConsentPolicy) async throws {
        let store = try kind.make(in: folder)
        try await store.storeConsent(store.noteConsent(.policy(policy, person: "device")))
        for user in ["device", "bob", "device"] { store.append(user: user) }
        try await store.storeConsent(store.noteConsent(.link(anonymous: "device", user: "ada", policy)))
        try await store.setConsent(.granted, of: ["ada", "other-device"])
        #expect(store.consent(of: "device") == .granted)
        #expect(try await store.seqs() == [1, 2, 3])
        try await store.setConsent(.denied, of: ["ada", "other-device"])
        #expect(store.consent(of: "device") == .denied)
        #expect(try await store.seqs() == [2])
        #expect(try await store.ledger().map { [$0.reason.rawValue, "\($0.count)"] } == [["opted-out", "2"]])
    }

    @Test(
        "an answer that is only noted is valid for the anonymous person, too, also if the process is killed",
        arguments: ConsentChoice.allCases, [true, false])
    func notedForLinked(choice: ConsentChoice, isLinkStored: Bool) async throws {
        var first: SQLiteEventStore? = try folder.open()
        try await first?.storeConsent(#require(first?.requireConsent(of: "device")))
        append("device-event", of: "device", to: try #require(first))
        append("x", of: "bob", to: try #require(first))
        let link = try #require(first?.noteConsent(.link(anonymous: "device", user: "ada", .required)))
        if isLinkStored { try await first?.storeConsent(link) }
        _ = first?.noteConsent(Self.answer(choice == .granted, of: "ada"))
        let expected: [Int64] = choice == .granted ? [1, 2] : [2]
        // Another process delivers.
        #expect(try await folder.open().batch(for: "b")?.records.map(\.seq) == expected)
        try await first?.perform { worker in worker.abandon() }
        first = nil
        let store = try folder.open()
        #expect(try await store.batch(for: "a")?.records.map(\.seq) == expected)
        try await store.close()
        #expect(try folder.files(with: "device-event").isEmpty == (choice == .denied))
    }

    @Test("a denial that is stored before the sign-in removes the anonymous person's events, too")
    func linkStoredLast() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        append("x", of: "device", to: first)
        try await first.commit()
        let link = first.noteConsent(.link(anonymous: "device", user: "ada", .assumed))
        try await second.setConsent(.denied, of: ["ada"])
        try await first.storeConsent(link)
        #expect(try await first.seqs().isEmpty)
        #expect(try await first.ledger().map(\.reason) == [.optedOut])
    }

    @Test("the log keeps a person's consent without the person's id")
    func noIDs() async throws {
        let people = ["customer-4711", "device-4711", "customer-0815"]
        var store = try folder.open()
        try await store.storeConsent(store.noteConsent(.link(anonymous: people[1], user: people[0], .required)))
        try await store.setConsent(.denied, of: [people[2]])
        try await store.close()
        #expect(
            try folder.files(with: "4711").isEmpty && folder.files(with: "0815").isEmpty
                && folder.files(with: "customer").isEmpty)
        store = try folder.open()
        #expect(store.consent(of: people[2]) == .denied && store.consent(of: people[1]) == .unknown)
        try await store.setConsent(.granted, of: [people[0]])
        #expect(store.consent(of: people[1]) == .granted)
    }

    @Test("a person's answer precedes that of everyone if it is later", arguments: StoreUnderTest.allCases)
    func laterThanEveryone(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        try await store.setConsent(.granted, of: ["ada"])
        try await store.setConsent(.denied, of: [ConsentRule.everyone])
        for user in ["ada", "bob"] { store.append(user: user) }
        #expect(try await store.batch(for: "a") == nil)
        try await store.setConsent(.granted, of: ["bob"])
        for user in ["ada", "bob"] { store.append(user: user) }
        #expect(try await store.batch(for: "a")?.records.map(\.seq) == [4])
        #expect(
            !ConsentRule(of: "ada", store.consentRecord).mayStore
                && ConsentRule(of: "bob", store.consentRecord).mayStore)
    }

    @Test("a sign-in with a denial removes the user's earlier events, if the user agrees before it is stored, too")
    func overtakenLink() async throws {
        let store = try folder.open()
        append("x", of: "device", to: store)
        try await store.storeConsent(store.noteConsent(.link(anonymous: "device", user: "ada", .assumed)))
        try await store.setConsent(.denied, of: ["other-device"])
        let link = store.noteConsent(.link(anonymous: "other-device", user: "ada", .assumed))
        let agreement = store.noteConsent(Self.answer(true, of: "ada", "other-device"))
        append("x", of: "ada", to: store)
        for change in [link, agreement] { try await store.storeConsent(change) }
        #expect(try await store.seqs() == [2] && store.consent(of: "device") == .granted)
    }

    @Test("a sign-in keeps the events of a purpose that the user had agreed to after a denial of all")
    func linkOfAgreed() async throws {
        let store = try folder.open()
        try await store.setConsent(.denied, of: ["ada", "device"])
        try await store.setConsent(.granted, of: ["ada", "device"])
        append("x", of: "ada", to: store)
        try await store.storeConsent(
            store.noteConsent(.reset(former: "ada", wasAnonymous: false, anonymous: "next-device", .assumed)))
        let link = store.noteConsent(.link(anonymous: "next-device", user: "ada", .assumed))
        let agreement = store.noteConsent(Self.answer(true, of: "ada", "next-device"))
        append("x", of: "ada", to: store)
        for change in [link, agreement] { try await store.storeConsent(change) }
        #expect(try await store.seqs() == [1, 2])
        #expect(store.consent(of: "ada", for: "ads") == .denied)
    }

    @Test("every answer is kept with its circumstances; storing it again changes nothing")
    func answers() async throws {
        let store = try folder.open()
        let answer = ConsentAnswer(
            .granted, people: ["ada", "device"], time: EventTime(seconds: 7), policy: .required, app: "1.2")
        let change = store.noteConsent(.answer(answer))
        for _ in 1...2 { try await store.storeConsent(change) }
        try await store.setConsent(.denied, of: ["ada"], at: EventTime(seconds: 100))
        let key = EventLogReader.key(of: "ada")
        #expect(
            try EventLogReader(path: folder.path).answers() == [
                StoredAnswer(
                    number: 1, time: answer.time, purposes: ["analytics"], key: key, isGranted: true,
                    policy: "required", app: "1.2"),
                StoredAnswer(
                    number: 2, time: EventTime(seconds: 100), purposes: [], key: key, isGranted: false,
                    policy: "assumed", app: nil),
            ])
        #expect(store.consent(of: "device") == .granted && store.consent(of: "ada") == .denied)
    }

    @Test("the next process finishes an interrupted opt-out, up to the number at the opt-out")
    func unfinished() async throws {
        let store = try folder.open()
        for user in ["ada", "bob", "ada"] { append("x", of: user, to: store) }
        try await store.commit()
        // The state that is stored before anything is removed. Then the process ends, and the user opts in again.
        try await store.perform { worker in
            try worker.freeing { db, _ in
                let ada = ConsentSubject("ada", for: .analytics)
                try Consents.set(ConsentRecord(.denied, number: 1), at: ada.key, db)
                try Discards.mark(Discards.Removal(of: ada, because: .optedOut, through: 3), db)
                try Consents.set(ConsentRecord(.granted, number: 2), at: ada.key, db)
            }
        }
        append("x", of: "ada", to: store)
        try await store.commit()
        try await store.close()
        let next = try folder.open()
        try await next.commit()
        #expect(try await next.seqs() == [2, 4])
        #expect(try await next.ledger().map(\.reason) == [.optedOut])
        try await next.close()
    }

    @Test("events sent without knowledge of an opt-out are discarded when they are moved")
    func late() async throws {
        let store = try folder.open()
        try await store.setConsent(.denied, of: ["ada"])
        append("x", of: "ada", to: store)
        append("x", of: "bob", to: store)
        try await store.commit()
        #expect(try await store.seqs() == [2])
        #expect(try await store.ledger().map(\.reason) == [.optedOut])
    }

    @Test("after an opt-out no file of the log has bytes of an undelivered event", arguments: [1, 200])
    func traces(count: Int) async throws {
        let store = try folder.open()
        _ = try await store.cursor(of: "sink")
        let long = String(repeating: "long", count: 300)
        for _ in 0..<count { append("marker-of-ada\(long)", of: "ada", to: store) }
        try await store.commit()
        append("marker-of-bob", of: "bob", to: store)
        for _ in 0..<count { append("marker-of-ada\(long)", of: "ada", to: store) }
        // A quarantined copy.
        let aside = folder.path + ".damaged-1"
        try FileManager.default.createDirectory(atPath: aside, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: folder.path + "-wal", toPath: aside + "/events.sqlite-wal")
        #expect(try folder.files(with: "marker-of-ada").count > 1)
        try await store.setConsent(.denied, of: ["ada"])
        try await store.commit()
        #expect(try folder.files(with: "marker-of-ada") == [])
        #expect(try !folder.files(with: "marker-of-bob").isEmpty)
        #expect(try await store.seqs() == [Int64(count) + 1])
        #expect(try await store.ledger().map(\.count) == [Int64(2 * count)])
    }
}
