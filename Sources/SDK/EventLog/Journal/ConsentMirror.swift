internal import Foundation
internal import Primitives
internal import Synchronization

/// What users have said, in the control file, so that every process sees a change at its next append.
///
/// The table `consents` of the database is the original. A mirror that cannot be read, because the file was cut, damaged or
/// has no slot left, answers ``Consent/unknown``: events are stored then, and the database decides about their delivery.
///
/// ```text
/// 0        generation: changes with every change below
/// 64       mark: says that the mirror was filled from the database
/// 72       checksum: the sum of all slots, each mixed
/// 80       1 if there were more users than slots
/// 128      slots: 62 bits of the SHA-256 of a user's id, and two bits of consent; 0 if free
/// ```
///
/// Slots are changed under the control file's lock, or, where nothing may wait, taken by one exchange of a free one. They
/// are read without a lock: a reader that sees half of a change sees a wrong checksum.
struct ConsentMirror: Sendable {
    static let slotCount = 208
    static let size = 128 + 8 * slotCount
    private static let mark: UInt64 = 0x3154_4E45_534E_4F43  // "CONSENT1"
    fileprivate let base: SendablePointer

    fileprivate struct SendablePointer: @unchecked Sendable {  // every access to what it points to is atomic
        let pointer: UnsafeMutableRawPointer
    }

    init(_ base: UnsafeMutableRawPointer) { self.base = SendablePointer(pointer: base) }

    private func word(_ offset: Int) -> SharedWord { SharedWord(base.pointer, offset: offset) }
    private func slot(_ index: Int) -> SharedWord { word(128 + 8 * index) }

    var generation: SharedWord { word(0) }

    /// Whether what it holds is what was written.
    var isIntact: Bool { word(64).load() == Self.mark && word(72).load() == sum() }

    private func sum() -> UInt64 {
        (0..<Self.slotCount).reduce(0) { sum, index in sum &+ SplitMix64.mixed(slot(index).load()) }
    }

    /// What a user has said; nil if nothing was ever stored. Any thread, no lock.
    func consent(of userID: String) -> Consent? {
        let isIntact = isIntact
        let key = Self.key(of: userID)
        for index in 0..<Self.slotCount {
            let word = slot(index).load()
            guard word & ~3 == key else { continue }
            let consent = Self.consent(word) ?? .unknown
            // A refusal counts while another slot changes, too.
            return isIntact || consent == .denied ? consent : .unknown
        }
        return isIntact && word(80).load() == 0 ? nil : .unknown
    }

    /// What all users have said, by ``key(of:)``; nil if that cannot be told.
    func consents() -> [UInt64: Consent]? {
        guard isIntact else { return nil }
        var found: [UInt64: Consent] = [:]
        for index in 0..<Self.slotCount {
            let word = slot(index).load()
            if word != 0 { found[word & ~3] = Self.consent(word) ?? .unknown }
        }
        return found
    }

    /// Stores what a user has said. Under the control file's lock.
    func set(_ consent: Consent, of userID: String) { put(consent, of: userID, isOnlyNew: false) }

    /// Stores that a user has not said anything yet, unless something is stored. Any thread, no lock.
    func withhold(_ userID: String) { put(.unknown, of: userID, isOnlyNew: true) }

    private func put(_ consent: Consent, of userID: String, isOnlyNew: Bool) {
        let new = Self.key(of: userID) | Self.bits(consent)
        // Slots are taken in order and never given back, so a user never gets two.
        var index = 0
        while index < Self.slotCount {
            let old = slot(index).load()
            guard old == 0 || old & ~3 == new & ~3 else {
                index += 1
                continue
            }
            if isOnlyNew, old != 0 { return }
            guard slot(index).exchange(old, for: new) else { continue }  // looks at the same slot again
            // A difference, so that changes at the same time add up. One that was damaged stays so until it is filled.
            word(72).add(SplitMix64.mixed(new) &- SplitMix64.mixed(old))
            return change()
        }
        if isOnlyNew, word(80).load() != 0 { return }
        word(80).publish(1)
        change()
    }

    /// Fills it anew, by ``key(of:)``. Under the control file's lock.
    func fill(_ consents: [UInt64: Consent]) {
        word(64).publish(0)
        var words = consents.lazy.map { key, consent in key | Self.bits(consent) }.makeIterator()
        for index in 0..<Self.slotCount { slot(index).publish(words.next() ?? 0) }
        word(80).publish(consents.count > Self.slotCount ? 1 : 0)
        word(72).publish(sum())
        word(64).publish(Self.mark)
        change()
    }

    /// A value that nobody has seen: everybody looks again.
    private func change() { generation.publish(UInt64.random(in: 1 << 32...1 << 62)) }

    static func key(of userID: String) -> UInt64 {
        SHA256.bytes(of: Array(userID.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) } & ~3
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

/// The mirror that a log has now, for threads that must not wait for anything.
///
/// Former control files stay mapped: a thread may still be reading one.
final class ConsentView: @unchecked Sendable {  // the pointer is atomic, and what it points to stays
    private let base: Atomic<UnsafeMutableRawPointer>
    private let files: Locked<[MappedFile]>

    init(_ control: JournalControl) {
        base = Atomic(control.consents.base.pointer)
        files = Locked([control.file])
    }

    /// Goes on with another control file.
    func replace(_ control: JournalControl) {
        files.withLock { $0.append(control.file) }
        base.store(control.consents.base.pointer, ordering: .releasing)
    }

    var mirror: ConsentMirror { ConsentMirror(base.load(ordering: .acquiring)) }
}
