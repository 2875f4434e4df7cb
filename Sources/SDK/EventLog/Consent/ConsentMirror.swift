internal import Foundation
internal import Primitives

/// The users' consent in the control file, so that every process sees a change at its next append.
///
/// The table `consents` of the database is the original. A mirror that cannot be read, because the file was truncated
/// or damaged or has no free slot, returns ``Consent/unknown``: events are then stored, and the database decides about
/// their delivery.
///
/// ```text
///    0      generation: changes with every change below
///    64     mark: the mirror was filled from the database
///    80     1 if there were more users than slots
///    128    slots: 44 bits of the SHA-256 of a user's id, 18 check bits, 2 consent bits
/// ```
///
/// The check bits cover the rest of the slot and its index, in free slots too, so an all-zero slot is damaged. Each
/// slot is changed separately with one exchange, so a kill or a concurrent read finds every slot intact. Filling the
/// mirror moves users to other slots; a concurrent reader detects that by the generation or the missing mark.
struct ConsentMirror: Sendable {
    static let slotCount = 208
    static let size = 128 + 8 * slotCount
    private static let mark: UInt64 = 0x3254_4E45_534E_4F43  // "CONSENT2"
    private static let keyBits: UInt64 = .max << 20
    fileprivate let base: SendablePointer

    fileprivate struct SendablePointer: @unchecked Sendable {  // Every access to the memory is atomic.
        let pointer: UnsafeMutableRawPointer
    }

    init(_ base: UnsafeMutableRawPointer) { self.base = SendablePointer(pointer: base) }

    private func word(_ offset: Int) -> SharedWord { SharedWord(base.pointer, offset: offset) }
    private func slot(_ index: Int) -> SharedWord { word(128 + 8 * index) }

    var generation: SharedWord { word(0) }

    private var isMarked: Bool { word(64).load() == Self.mark }

    /// Whether its contents are intact.
    var isIntact: Bool { isMarked && (0..<Self.slotCount).allSatisfy { Self.isWhole(slot($0).load(), $0) } }

    /// A user's consent; nil if none was ever stored. Safe to call from any thread, without a lock.
    func consent(of userID: String) -> Consent? {
        let key = Self.key(of: userID)
        while true {
            let wasMarked = isMarked
            let before = generation.load()
            var isIntact = true
            for index in 0..<Self.slotCount {
                let word = slot(index).load()
                guard Self.isWhole(word, index) else {
                    isIntact = false
                    continue
                }
                if let consent = Self.consent(word), word & Self.keyBits == key { return consent }
            }
            guard wasMarked, isIntact, isMarked else { return .unknown }
            // The user may have moved to another slot during the search.
            guard generation.load() == before else { continue }
            return self.word(80).load() == 0 ? nil : .unknown
        }
    }

    /// The users' consents by ``key(of:)``, without damaged slots.
    func consents() -> [UInt64: Consent] {
        var found: [UInt64: Consent] = [:]
        for index in 0..<Self.slotCount {
            let word = slot(index).load()
            guard Self.isWhole(word, index), let consent = Self.consent(word) else { continue }
            // Lookups and changes use the first slot of a key.
            if found[word & Self.keyBits] == nil { found[word & Self.keyBits] = consent }
        }
        return found
    }

    /// Stores a user's consent. Call with the control file's lock held.
    func set(_ consent: Consent, of userID: String) { put(consent, of: Self.key(of: userID), isOnlyNew: false) }

    /// Stores that a user's consent is unknown, unless a consent is stored. Safe to call from any thread, without a
    /// lock.
    func withhold(_ userID: String) { put(.unknown, of: Self.key(of: userID), isOnlyNew: true) }

    private func put(_ consent: Consent, of key: UInt64, isOnlyNew: Bool) {
        // Slots are used in order and freed only by filling, so a user never gets two.
        var index = 0
        while index < Self.slotCount {
            let old = slot(index).load()
            guard Self.isWhole(old, index), old & 3 == 0 || old & Self.keyBits == key else {
                index += 1
                continue
            }
            if isOnlyNew, old & 3 != 0 { return }
            // Reads the slot again.
            guard slot(index).exchange(old, for: Self.slot(key, consent, index)) else { continue }
            return change()
        }
        if isOnlyNew, word(80).load() != 0 { return }
        word(80).publish(1)
        change()
    }

    /// Fills the mirror with consents by ``key(of:)``. Users that are added meanwhile keep a slot. Call with the
    /// control file's lock held.
    func fill(_ consents: [UInt64: Consent]) {
        word(64).publish(0)
        change()
        var rest = consents.makeIterator()
        var noted: [(key: UInt64, consent: Consent)] = []
        for index in 0..<Self.slotCount {
            let next = rest.next()
            let old = slot(index).swap(for: Self.slot(next?.key ?? 0, next?.value, index))
            guard Self.isWhole(old, index), let consent = Self.consent(old), consent != .granted else { continue }
            noted.append((old & Self.keyBits, consent))
        }
        word(80).publish(consents.count > Self.slotCount ? 1 : 0)
        for (key, consent) in noted { put(consent, of: key, isOnlyNew: consent == .unknown) }
        change()
        word(64).publish(Self.mark)
        change()
    }

    /// Publishes a value that was never used, so that all readers check again.
    private func change() { generation.publish(UInt64.random(in: 1 << 32...1 << 62)) }

    static func key(of userID: String) -> UInt64 {
        SHA256.bytes(of: Array(userID.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) } & keyBits
    }

    private static func slot(_ key: UInt64, _ consent: Consent?, _ index: Int) -> UInt64 {
        let content = key | (consent.map(bits) ?? 0)
        return content | (SplitMix64.mixed(content ^ (UInt64(index + 1) << 2)) >> 46) << 2
    }

    private static func isWhole(_ word: UInt64, _ index: Int) -> Bool {
        word == slot(word & keyBits, consent(word), index)
    }

    private static func bits(_ consent: Consent) -> UInt64 {
        switch consent {
        case .granted: 1
        case .denied: 2
        case .unknown: 3
        }
    }

    private static func consent(_ word: UInt64) -> Consent? {
        switch word & 3 {
        case 1: .granted
        case 2: .denied
        case 3: .unknown
        default: nil
        }
    }
}

/// The log's current mirror, for threads that must not wait.
///
/// Former control files stay mapped, because a thread may still be reading them.
final class ConsentView: @unchecked Sendable {  // The pointer is atomic, and its target stays mapped.
    private let base: Atomic<UnsafeMutableRawPointer>
    private let files: Locked<[MappedFile]>

    init(_ control: JournalControl) {
        base = Atomic(control.consents.base.pointer)
        files = Locked([control.file])
    }

    /// Switches to another control file.
    func replace(_ control: JournalControl) {
        files.withLock { $0.append(control.file) }
        base.store(control.consents.base.pointer, ordering: .releasing)
    }

    var mirror: ConsentMirror { ConsentMirror(base.load(ordering: .acquiring)) }
}
