import EventModel
import Foundation
import Testing

@testable import EventLog

@Suite("The rule of consent")
struct ConsentRuleTests {
    private static func granted(_ number: Int64) -> ConsentRecord { ConsentRecord(.granted, number: number) }
    private static func denied(_ number: Int64) -> ConsentRecord { ConsentRecord(.denied, number: number) }
    private static func inherited(_ number: Int64) -> ConsentRecord { ConsentRecord(.inherited, number: number) }
    private static func inheritedRequired(_ number: Int64) -> ConsentRecord {
        ConsentRecord(.inheritedRequired, number: number)
    }
    private static func required(_ number: Int64) -> ConsentRecord { ConsentRecord(.required, number: number) }
    private static func assumed(_ number: Int64) -> ConsentRecord { ConsentRecord(.assumed, number: number) }

    /// The records of a (the anonymous person) and u (the user) after a change.
    private func after(
        _ change: ConsentChange, _ anonymous: ConsentRecord?, _ user: ConsentRecord? = nil
    ) -> [String: ConsentRecord] {
        var records = [ConsentSubject("a"): anonymous, ConsentSubject("u"): user].compactMapValues(\.self)
        let made = change.records(number: 10, purposes: [.analytics]) { records[$0] }
        records.merge(made) { ConsentRecord.newer($0, $1) ?? $1 }
        return Dictionary(
            uniqueKeysWithValues: ["a", "u"].compactMap { person in
                let own = records[ConsentSubject(person, for: .analytics)]
                return ConsentRecord.effective(own, all: records[ConsentSubject(person)], for: .analytics).map {
                    (person, $0)
                }
            })
    }

    @Test(
        "without an answer, the policy decides",
        arguments: [(ConsentPolicy.assumed, Consent.granted), (.required, .unknown)])
    func policy(policy: ConsentPolicy, consent: Consent) {
        #expect(
            ConsentRule(stored: nil, isRequired: policy == .required).status
                == ConsentStatus(consent, isAnswered: false))
        let rule = ConsentRule(stored: after(.policy(policy, person: "a"), nil)["a"])
        #expect(rule.status == ConsentStatus(consent, isAnswered: false))
        #expect(rule.mayStore && rule.mayDeliver == (policy == .assumed))
    }

    @Test(
        "the stricter policy holds, until there is an answer",
        arguments: [
            (nil, required(10)), (assumed(1), required(10)), (required(1), required(1)),
            (inherited(1), inheritedRequired(10)),
            (inheritedRequired(1), inheritedRequired(1)), (granted(1), granted(1)), (denied(1), denied(1)),
        ] as [(ConsentRecord?, ConsentRecord)])
    func stricter(stored: ConsentRecord?, expected: ConsentRecord) {
        #expect(after(.policy(.required, person: "a"), stored)["a"] == expected)
        #expect(after(.policy(.assumed, person: "a"), stored)["a"] == stored)
    }

    @Test(
        "an answer is valid immediately, for each person that gives it",
        arguments: [nil, assumed(1), required(2), inherited(3), granted(4), denied(5), denied(0)], [true, false])
    func answer(stored: ConsentRecord?, isGranted: Bool) {
        let answer = ConsentAnswer(isGranted ? .granted : .denied, people: ["a", "u"], time: EventTime(seconds: 1))
        let records = after(.answer(answer), stored, stored)
        for person in ["a", "u"] {
            let rule = ConsentRule(stored: records[person], isRequired: true)
            #expect(rule.status == ConsentStatus(isGranted ? .granted : .denied, isAnswered: true))
            #expect(rule.mayStore == isGranted && rule.mayDeliver == isGranted)
        }
    }

    @Test(
        "a person who turns out to be a user: an answer of either is valid for both, the later of two; else the policy",
        arguments: [
            // the anonymous person, the user, the policy, both after the change
            (granted(1), nil, .required, granted(1)), (nil, denied(1), .assumed, denied(1)),
            (denied(3), required(7), .assumed, denied(3)), (inherited(9), granted(2), .assumed, granted(2)),
            (granted(3), denied(2), .assumed, granted(3)), (granted(2), denied(3), .assumed, denied(3)),
            // The order is not known.
            (granted(0), denied(0), .assumed, denied(0)), (denied(0), granted(0), .assumed, denied(0)),
            (denied(0), granted(1), .assumed, granted(1)),
            // Neither has answered.
            (inherited(4), nil, .assumed, inherited(10)), (inherited(4), required(2), .assumed, inheritedRequired(10)),
            (inherited(4), nil, .required, inheritedRequired(10)),
            (nil, nil, .assumed, nil), (nil, nil, .required, required(10)), (required(1), nil, .assumed, required(10)),
            (nil, required(1), .assumed, required(10)), (nil, inherited(1), .assumed, assumed(10)),
            (nil, inherited(1), .required, required(10)), (nil, inheritedRequired(1), .assumed, required(10)),
        ] as [(ConsentRecord?, ConsentRecord?, ConsentPolicy, ConsentRecord?)])
    func link(anonymous: ConsentRecord?, user: ConsentRecord?, policy: ConsentPolicy, expected: ConsentRecord?) {
        let records = after(.link(anonymous: "a", user: "u", policy), anonymous, user)
        for person in ["a", "u"] {
            #expect(
                ConsentRule(stored: records[person]).status == ConsentRule(stored: expected).status)
            if let expected { #expect(records[person] == expected) }
        }
    }

    @Test(
        "after a reset a denial stays until the next person answers; otherwise the policy holds",
        arguments: [
            (denied(1), .assumed, inherited(10)), (inherited(1), .assumed, inherited(10)),
            (denied(1), .required, inheritedRequired(10)), (inheritedRequired(1), .assumed, inherited(10)),
            (granted(1), .assumed, nil), (granted(1), .required, required(10)),
            (required(1), .assumed, nil), (nil, .assumed, nil), (nil, .required, required(10)),
            (.unreadable, .assumed, .unreadable),
        ] as [(ConsentRecord?, ConsentPolicy, ConsentRecord?)])
    func reset(former: ConsentRecord?, policy: ConsentPolicy, expected: ConsentRecord?) {
        let change = ConsentChange.reset(former: "u", wasAnonymous: true, anonymous: "a", policy)
        #expect(after(change, nil, former)["a"] == expected)
        // No later answer is that of an anonymous person.
        let isAbandoned = former?.state == .required
        #expect(after(change, nil, former)["u"] == (isAbandoned ? ConsentRecord(.abandoned, number: 10) : former))
        let signedOut = ConsentChange.reset(former: "u", wasAnonymous: false, anonymous: "a", policy)
        #expect(after(signedOut, nil, former)["u"] == former)
    }

    @Test("what cannot be read is held, and decided by the database")
    func unreadable() {
        let rule = ConsentRule(stored: .unreadable)
        #expect(rule.status == ConsentStatus(.unknown, isAnswered: false) && rule.mayStore && !rule.mayDeliver)
        #expect(after(.policy(.required, person: "a"), .unreadable)["a"] == .unreadable)
        #expect(after(.policy(.assumed, person: "a"), .unreadable)["a"] == .unreadable)
        #expect(after(.link(anonymous: "a", user: "u", .assumed), .unreadable, Self.granted(3))["u"] == Self.granted(3))
        #expect(after(.link(anonymous: "a", user: "u", .assumed), .unreadable, nil)["u"] == .unreadable)
    }

    @Test("an answer for everyone decides for each person who has not answered later")
    func everyone() {
        let records = ["": Self.granted(2), "a": Self.denied(1), "b": Self.denied(3), "c": Self.required(4)]
        func record(_ subject: ConsentSubject) -> ConsentRecord? {
            subject.purpose == nil ? records[subject.person] : nil
        }
        #expect(["a", "b", "c"].map { ConsentRule(of: $0, record).mayDeliver } == [true, false, true])
        #expect(!ConsentRule(of: "a") { $0.person == "a" ? record($0) : nil }.mayStore)
    }

    @Test(
        "a purpose with its own record: the later answer of it and of all, an answer before none, else the stricter record",
        arguments: [
            (nil, nil, nil), (granted(1), nil, granted(1)), (nil, denied(1), denied(1)),
            (granted(2), denied(1), granted(2)), (granted(1), denied(2), denied(2)), (denied(1), denied(2), denied(2)),
            (granted(1), required(2), granted(1)), (required(2), denied(1), denied(1)),
            (inherited(1), required(2), inheritedRequired(1)), (assumed(1), inherited(2), inherited(2)),
            (required(2), inherited(1), required(2)),
            (ConsentRecord(.abandoned, number: 3), inheritedRequired(2), ConsentRecord(.abandoned, number: 3)),
            // One change has made both.
            (assumed(2), inherited(2), assumed(2)), (required(2), inherited(2), required(2)),
            (.unreadable, granted(1), .unreadable), (granted(1), .unreadable, .unreadable),
        ] as [(ConsentRecord?, ConsentRecord?, ConsentRecord?)])
    func purposes(own: ConsentRecord?, all: ConsentRecord?, expected: ConsentRecord?) {
        #expect(ConsentRecord.effective(own, all: all, for: .analytics) == expected)
        if all?.state != .granted { #expect(ConsentRecord.effective(own, all: all, for: "ads") == expected) }
    }

    @Test("an agreement to all from before purposes existed is for analytics only")
    func former() {
        #expect(ConsentRecord.effective(nil, all: Self.granted(1), for: .analytics) == Self.granted(1))
        #expect(ConsentRecord.effective(nil, all: Self.granted(1), for: "ads") == nil)
        #expect(ConsentRecord.effective(Self.required(2), all: Self.granted(1), for: "ads") == Self.required(2))
    }

    @Test("a policy for a purpose requires only this purpose; its text can be read again")
    func namedPolicy() throws {
        let policy = ConsentPolicy.required(for: ["ads", "b"])
        let made = ConsentChange.policy(policy, person: "a").records(number: 10, purposes: [.analytics]) { _ in nil }
        #expect(Set(made.keys) == [ConsentSubject("a", for: "ads"), ConsentSubject("a", for: "b")])
        #expect(made.values.allSatisfy { $0 == Self.required(10) })
        #expect(policy.description == "required for ads, b")
        let inherited = ConsentChange.policy(policy, person: "a").records(number: 10, purposes: []) { subject in
            subject.purpose == nil ? Self.inherited(1) : nil
        }
        #expect(inherited.values.allSatisfy { $0 == Self.inheritedRequired(10) } && inherited.count == 2)
        for policy in [policy, .assumed, .required] {
            #expect(try JSONDecoder().decode(ConsentPolicy.self, from: JSONEncoder().encode(policy)) == policy)
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ConsentPolicy.self, from: Data(#""strict""#.utf8))
        }
    }

    /// After the change: analytics, ads, and a purpose without its own record.
    private func purposesAfter(
        _ change: ConsentChange, _ person: String, _ records: [ConsentSubject: ConsentRecord]
    ) -> [ConsentRecord?] {
        let made = change.records(number: 10, purposes: ["ads"]) { records[$0] }
        let all = records.merging(made) { ConsentRecord.newer($0, $1) ?? $1 }
        return [.analytics, "ads", "b"].map { purpose in
            ConsentRecord.effective(
                all[ConsentSubject(person, for: purpose)], all: all[ConsentSubject(person)], for: purpose)
        }
    }

    @Test("the next person inherits the denial of each purpose, and no agreement")
    func resetByPurpose() {
        let former = [
            ConsentSubject("u"): Self.denied(1), ConsentSubject("u", for: .analytics): Self.granted(2),
        ]
        for (policy, analytics, others) in [
            (ConsentPolicy.assumed, Self.assumed(10), Self.inherited(10)),
            (.required, Self.required(10), Self.inheritedRequired(10)),
        ] {
            let change = ConsentChange.reset(former: "u", wasAnonymous: false, anonymous: "a", policy)
            #expect(purposesAfter(change, "a", former) == [analytics, others, others])
        }
        let change = ConsentChange.reset(former: "u", wasAnonymous: false, anonymous: "a", .assumed)
        let adsDenied = [ConsentSubject("u", for: "ads"): Self.denied(1)]
        #expect(purposesAfter(change, "a", adsDenied) == [nil, Self.inherited(10), nil])
    }

    @Test("a sign-in unites the answers to each purpose; the later one counts")
    func linkByPurpose() {
        let records = [
            ConsentSubject("a"): Self.denied(3), ConsentSubject("a", for: .analytics): Self.granted(4),
            ConsentSubject("u", for: .analytics): Self.denied(2), ConsentSubject("u", for: "ads"): Self.granted(5),
        ]
        let change = ConsentChange.link(anonymous: "a", user: "u", .assumed)
        for person in ["a", "u"] {
            #expect(purposesAfter(change, person, records) == [Self.granted(4), Self.granted(5), Self.denied(3)])
        }
    }

    @Test("a record survives its columns in the database")
    func columns() {
        for state in ConsentRecord.State.allCases where state != .unreadable {
            let record = ConsentRecord(state, number: 8)
            #expect(ConsentRecord(column: record.column, answered: record.answeredColumn, number: 8) == record)
        }
        #expect(ConsentRecord(column: "denied", answered: 1, number: -5) == Self.denied(0))
    }
}
