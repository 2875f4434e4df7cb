internal import EventModel

/// People's consent in memory: all records of a log, in 21 to 32 bytes each.
struct ConsentTable {
    /// A key and a record for each slot; the key 0 if the slot is free. Open addressing: a record is in the first slot
    /// from its key's own on that was free.
    private var words = [UInt64](repeating: 0, count: 2 * 8)
    private var count = 0
    /// How many records forbid storing or delivering events.
    private var strictCount = 0
    /// The users whom anonymous people turned out to be.
    private var users: [UInt64: UInt64] = [:]
    private static let everyone = ConsentPerson.everyone.key
    private static let others = ConsentMirror.key(of: ConsentRule.others)

    /// Whether all events may be delivered.
    var isUnrestricted: Bool { strictCount == 0 }

    /// The record with a key; see ``ConsentMirror/key(_:for:)``.
    subscript(key: UInt64) -> ConsentRecord? { Self.record(words[2 * index(of: key) + 1]) }

    /// The number of the last change that has made a record.
    var highestNumber: Int64 {
        stride(from: 1, to: words.count, by: 2).lazy.compactMap { Self.record(words[$0])?.number }.max() ?? 0
    }

    /// Stores a record, unless there is a newer one.
    ///
    /// - Returns: Whether the record is new.
    @discardableResult
    mutating func merge(_ record: ConsentRecord, at key: UInt64) -> Bool {
        var index = index(of: key)
        let known = Self.record(words[2 * index + 1])
        guard record.isReadable, let record = ConsentRecord.newer(known, record), record != known else {
            return false
        }
        if known == nil {
            count += 1
            if 4 * count > 3 * (words.count / 2) {
                grow()
                index = self.index(of: key)
            }
        }
        strictCount += (record.isStrict ? 1 : 0) - (known?.isStrict == true ? 1 : 0)
        words[2 * index] = key
        words[2 * index + 1] = UInt64(record.number) << 3 | UInt64(record.state.rawValue)
        return true
    }

    mutating func merge(_ records: [UInt64: ConsentRecord]) { for (key, record) in records { merge(record, at: key) } }

    mutating func merge(_ other: ConsentTable) {
        for slot in stride(from: 0, to: other.words.count, by: 2) {
            if let record = Self.record(other.words[slot + 1]) { merge(record, at: other.words[slot]) }
        }
        link(other.users)
    }

    /// Remembers sign-ins: the user's records are also those of the anonymous people.
    mutating func link(_ links: [UInt64: UInt64]) { users.merge(links) { $1 } }

    /// The rule for a person by key, and for everyone.
    ///
    /// - Parameter record: The record with a key. The table's, unless a newer one is known elsewhere.
    func rule(
        of person: UInt64?, for purpose: Purpose, _ record: ((UInt64) -> ConsentRecord?)? = nil
    ) -> ConsentRule {
        ConsentRule(for: purpose) {
            self.record(of: Self.everyone, for: $0, record)
        } person: { purpose in
            person.flatMap { self.record(of: $0, for: purpose, record) }
        } others: {
            self.record(of: Self.others, for: $0, record)
        }
    }

    /// The bits of the purposes that a person has denied.
    func deniedPurposes(of person: UInt64, among purposes: [Purpose]) -> Int {
        guard !isUnrestricted else { return 0 }
        var bits = 0
        for index in purposes.indices where !rule(of: person, for: purposes[index]).mayStore { bits |= 1 << index }
        return bits
    }

    /// The record of a person for exactly this purpose, or for all.
    func record(
        of person: UInt64, for purpose: Purpose?, _ record: ((UInt64) -> ConsentRecord?)? = nil
    ) -> ConsentRecord? {
        let own = find(ConsentMirror.key(person, for: purpose), record)
        guard !users.isEmpty, let user = users[person] else { return own }
        return ConsentRecord.newer(own, find(ConsentMirror.key(user, for: purpose), record))
    }

    private func find(_ key: UInt64, _ record: ((UInt64) -> ConsentRecord?)?) -> ConsentRecord? {
        if let record { record(key) } else { self[key] }
    }

    /// The keys of a person, and of the user whom the person turned out to be.
    func keys(of person: UInt64) -> [UInt64] { [person] + (users[person].map { [$0] } ?? []) }

    private func index(of key: UInt64) -> Int {
        let capacity = words.count / 2
        // The low bits of a key are 0.
        var index = Int((key >> 20) % UInt64(capacity))
        while words[2 * index] != 0, words[2 * index] != key {
            index += 1
            if index == capacity { index = 0 }
        }
        return index
    }

    /// Makes half of the slots free.
    private mutating func grow() {
        let former = words
        words = [UInt64](repeating: 0, count: 2 * (former.count / 2 * 3 / 2))
        for start in stride(from: 0, to: former.count, by: 2) where former[start] != 0 {
            let index = index(of: former[start])
            words[2 * index] = former[start]
            words[2 * index + 1] = former[start + 1]
        }
    }

    private static func record(_ word: UInt64) -> ConsentRecord? {
        ConsentRecord.State(rawValue: UInt8(word & 7)).map { ConsentRecord($0, number: Int64(word >> 3)) }
    }
}

/// The rules of all people, for lines.
final class ConsentRules {
    /// Whether all events may be delivered.
    let isUnrestricted: Bool
    private let rule: (_ person: UInt64?, Purpose) -> ConsentRule
    private let keys: (_ person: UInt64) -> [UInt64]
    /// Computing a key needs a SHA-256, and most events have the same user as the event before.
    private var last: (person: String, key: UInt64)?

    /// The rules at this moment.
    init(_ table: ConsentTable) {
        isUnrestricted = table.isUnrestricted
        rule = { table.rule(of: $0, for: $1) }
        keys = table.keys
    }

    /// The rules in effect when they are asked for.
    init(_ view: ConsentView) {
        view.synchronize()
        isUnrestricted = view.isUnrestricted
        rule = view.rule
        keys = view.keys
    }

    /// The rule for a line's user; for everyone if the line has none.
    func rule(of line: UnsafeRawBufferPointer, for purpose: Purpose) -> ConsentRule {
        rule(user(of: line), purpose)
    }

    /// The keys under which a line's user may have records, and that of everyone.
    func keys(of line: UnsafeRawBufferPointer) -> [UInt64] {
        [ConsentPerson.everyone.key] + (user(of: line).map(keys) ?? [])
    }

    private func user(of line: UnsafeRawBufferPointer) -> UInt64? {
        guard let person = Discards.user(of: line) else { return nil }
        if let last, last.person == person { return last.key }
        let key = ConsentMirror.key(of: person)
        last = (person, key)
        return key
    }
}
