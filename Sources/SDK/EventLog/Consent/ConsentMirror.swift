internal import EventModel
internal import Foundation
internal import Primitives

/// The people's consent in the control file, so that every process sees a change at its next append.
///
/// The table `consents` of the database has the same records, of any number of people. For each subject, the newer record
/// is in effect. While a mirror cannot be read, because the file was truncated or damaged, or another process had no free
/// slot for its change, a record that is not found is ``ConsentRecord/unreadable``: events are then stored, and the
/// database decides about their delivery.
///
/// ```text
///    0      mark: the mirror has all records of the database
///    8      the number of the last change of consent
///    16     how many times a record had no slot, and was stored in the database only
///    24     how many sign-ins there were
///    128    slots of two words:
///           44 bits that are computed from the SHA-256 of a person's id and from the purpose, 20 check bits
///           3 bits of the state, 40 bits of the number, 21 check bits
///    3840   the last 16 sign-ins, in two words: the keys of the anonymous person and of the user, 20 check bits each
/// ```
///
/// The check bits of the first word cover the word and the slot's index; those of the second word also cover the first
/// word. All-zero words are damaged, also in free slots. A slot is claimed for a person with one exchange, and never freed
/// or moved. A record is replaced with one exchange. A kill or a concurrent read finds every slot intact.
///
/// The generation is on the control file's first page, where senders read it.
struct ConsentMirror: Sendable {
    static let slotCount = 232
    private static let linkCount = 16
    static let size = 128 + 16 * (slotCount + linkCount)
    /// The numbers that fit into a slot.
    static let numbers: ClosedRange<Int64> = 0...(1 << 40 - 1)
    private static let mark: UInt64 = 0x3354_4E45_534E_4F43  // "CONSENT3"
    static let keyBits: UInt64 = .max << 20
    private let base: SharedBytes
    /// Changes with every change of consent and of the identity.
    let generation: SharedWord

    init(_ base: UnsafeMutableRawPointer, generation: SharedWord) {
        self.base = SharedBytes(pointer: base)
        self.generation = generation
    }

    private func word(_ offset: Int) -> SharedWord { SharedWord(base.pointer, offset: offset) }
    private func keyWord(_ index: Int) -> SharedWord { word(128 + 16 * index) }
    private func valueWord(_ index: Int) -> SharedWord { word(136 + 16 * index) }

    var counter: SharedWord { word(8) }
    var overflow: SharedWord { word(16) }
    var isMarked: Bool { word(0).load() == Self.mark }

    /// Whether its contents are intact.
    var isIntact: Bool {
        isMarked && counter.load() <= UInt64(Self.numbers.upperBound)
            && (0..<Self.slotCount).allSatisfy { index in
                key(at: index).map { record(at: index, of: $0)?.isReadable ?? true } ?? false
            }
    }

    /// The records by ``key(_:for:)``, without damaged ones. Safe to call from any thread, without a lock.
    func records() -> [UInt64: ConsentRecord] {
        var found: [UInt64: ConsentRecord] = [:]
        forEachRecord { found[$0] = ConsentRecord.newer(found[$0], $1) }
        return found
    }

    /// Calls `body` with each record that is not damaged. Two may have the same key.
    func forEachRecord(_ body: (_ key: UInt64, ConsentRecord) -> Void) {
        for index in 0..<Self.slotCount {
            guard let key = key(at: index), let record = record(at: index, of: key), record.isReadable else { continue }
            body(key, record)
        }
    }

    // MARK: Sign-ins

    /// The users whom anonymous people turned out to be, by ``key(of:)``, as far as they are remembered here.
    var links: [UInt64: UInt64] {
        var found: [UInt64: UInt64] = [:]
        for index in 0..<Self.linkCount {
            let words = (linkWord(index, 0).load(), linkWord(index, 1).load())
            let anonymous = words.0 & Self.keyBits
            let user = words.1 & Self.keyBits
            // Parts of two sign-ins, or none.
            guard anonymous != 0, words == Self.link(anonymous, user, index) else { continue }
            found[anonymous] = user
        }
        return found
    }

    /// Remembers a sign-in. Safe to call from any thread, without a lock. Call ``change()`` afterwards.
    func link(_ anonymous: UInt64, to user: UInt64) {
        let index = Int(word(24).increment() % UInt64(Self.linkCount))
        let words = Self.link(anonymous, user, index)
        linkWord(index, 0).publish(words.0)
        linkWord(index, 1).publish(words.1)
    }

    private func linkWord(_ index: Int, _ part: Int) -> SharedWord {
        word(128 + 16 * (Self.slotCount + index) + 8 * part)
    }

    private static func link(_ anonymous: UInt64, _ user: UInt64, _ index: Int) -> (UInt64, UInt64) {
        let check = SplitMix64.mixed(anonymous ^ SplitMix64.mixed(user ^ UInt64(index + 1))) >> 44
        return (anonymous | check, user | check)
    }

    /// Draws the number of a change. Safe to call from any thread, without a lock.
    func draw() -> Int64 {
        while true {
            let old = counter.load()
            // A higher number is damaged.
            let last = old < UInt64(Self.numbers.upperBound) ? old : UInt64(highestNumber)
            if counter.exchange(old, for: last + 1) { return Int64(last + 1) }
        }
    }

    private var highestNumber: Int64 { records().values.map(\.number).max() ?? 0 }

    /// Stores a person's record, unless there is a newer one. Safe to call from any thread, without a lock. Call
    /// ``change()`` afterwards.
    ///
    /// - Parameter onChange: Called if the slot did not have the record.
    /// - Returns: Whether there was a slot.
    @discardableResult
    func put(_ record: ConsentRecord, of key: UInt64, onChange: () -> Void = {}) -> Bool {
        guard let index = slot(of: key) else { return false }
        while true {
            let old = valueWord(index).load()
            let known = Self.record(old, index, key).flatMap { $0.isReadable ? $0 : nil }
            let new = Self.value(ConsentRecord.newer(known, record), key, index)
            if new == old { return true }
            if valueWord(index).exchange(old, for: new) {
                onChange()
                return true
            }
        }
    }

    /// The slot of a person, which is claimed if there is none.
    private func slot(of key: UInt64) -> Int? {
        if let index = (0..<Self.slotCount).first(where: { self.key(at: $0) == key }) { return index }
        for index in 0..<Self.slotCount {
            if keyWord(index).exchange(Self.key(0, index), for: Self.key(key, index)) { return index }
            // Another process may have claimed the slot for the same person.
            if self.key(at: index) == key { return index }
        }
        return nil
    }

    /// Repairs damaged slots, and merges records by ``key(of:)``. Call with the control file's lock held.
    ///
    /// - Parameter isComplete: Whether the mirror then has all records of the database.
    func merge(_ records: [UInt64: ConsentRecord], isComplete: Bool = true) {
        counter.raise(to: UInt64(records.values.map(\.number).max() ?? 0))
        let isIntact = isIntact
        let mirrored = self.records()
        // A change may have made a standard record for a purpose, because it made a stricter one for the others.
        let strict = Set(records.values.filter { !$0.isStandard }.map(\.number))
        let news = records.filter { key, record in
            let known = mirrored[key]
            let isNeeded = known != nil || !record.isStandard || strict.contains(record.number)
            return isNeeded && ConsentRecord.newer(known, record) != known
        }
        guard !isIntact || !news.isEmpty else { return }
        if !isIntact { repair() }
        // If there are too few slots, the last changes have one. Each process reads the others from the database.
        for (key, record) in news.sorted(by: { $0.value.number > $1.value.number }) where !put(record, of: key) {
            break
        }
        change()
        if isComplete { word(0).publish(Self.mark) }
        change()
    }

    private func repair() {
        word(0).publish(0)
        change()
        for index in 0..<Self.slotCount {
            guard let key = key(at: index) else {
                // No process claims a damaged slot.
                valueWord(index).publish(Self.value(nil, 0, index))
                keyWord(index).publish(Self.key(0, index))
                continue
            }
            let old = valueWord(index).load()
            guard Self.record(old, index, key)?.isReadable == false else { continue }
            _ = valueWord(index).exchange(old, for: Self.value(nil, 0, index))
        }
        let old = counter.load()
        if old > UInt64(Self.numbers.upperBound) { _ = counter.exchange(old, for: UInt64(highestNumber)) }
    }

    /// Publishes a value that was never used, so that all readers check again.
    func change() { generation.publish(UInt64.random(in: 1 << 32...1 << 62)) }

    static func key(of person: String) -> UInt64 {
        var person = person
        let digest = person.withUTF8 { SHA256.digest($0) }
        return key(UInt64(digest[0]) << 32 | UInt64(digest[1]))
    }

    /// The key for the events of a purpose; nil for all purposes that have no record of their own.
    static func key(_ person: UInt64, for purpose: Purpose?) -> UInt64 {
        guard let purpose else { return person }
        return key(SplitMix64.mixed(person ^ SplitMix64.mixed(hash(purpose))))
    }

    /// FNV-1a of a purpose's name: the same in every version.
    static func hash(_ purpose: Purpose) -> UInt64 {
        purpose.name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static func key(_ bits: UInt64) -> UInt64 { max(bits & keyBits, 1 << 20) }

    // MARK: Slots

    /// The key of a slot; 0 if it is free, nil if it is damaged.
    private func key(at index: Int) -> UInt64? {
        let word = keyWord(index).load()
        return word == Self.key(word & Self.keyBits, index) ? word & Self.keyBits : nil
    }

    private func record(at index: Int, of key: UInt64) -> ConsentRecord? {
        Self.record(valueWord(index).load(), index, key)
    }

    private static func record(_ word: UInt64, _ index: Int, _ key: UInt64) -> ConsentRecord? {
        // A slot has no record between its two exchanges.
        if word == value(nil, 0, index) { return nil }
        guard let state = ConsentRecord.State(rawValue: UInt8(word & 7)) else { return .unreadable }
        let record = ConsentRecord(state, number: Int64(word >> 3) & numbers.upperBound)
        return word == value(record, key, index) ? record : .unreadable
    }

    private static func key(_ key: UInt64, _ index: Int) -> UInt64 {
        key | SplitMix64.mixed(key ^ UInt64(index + 1)) >> 44
    }

    private static func value(_ record: ConsentRecord?, _ key: UInt64, _ index: Int) -> UInt64 {
        let content = record.map { UInt64($0.state.rawValue) | UInt64($0.number) << 3 } ?? 0
        return content | SplitMix64.mixed(content ^ SplitMix64.mixed(key ^ UInt64(index + 1))) & .max << 43
    }
}

/// Memory that processes share.
struct SharedBytes: @unchecked Sendable {  // Every access to the memory is atomic.
    let pointer: UnsafeMutableRawPointer
}
