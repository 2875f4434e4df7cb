internal import Primitives

/// The people's consent and the identity in the log's current control file, for threads that must not wait.
///
/// Former control files stay mapped, because a thread may still be reading them.
final class ConsentView: @unchecked Sendable {  // The pointer is atomic, and its target stays mapped.
    private let base: Atomic<UnsafeMutableRawPointer>
    private let memory: Locked<Memory>

    private struct Memory {
        var files: [MappedFile]
        /// The highest number that this process knows, and the last identity, if the control file loses them.
        var number: Int64
        var identity: LogIdentity?
        /// Changes that are not stored yet and not in the mirror, because it was damaged or full.
        var unmirrored: [UInt64: ConsentRecord] = [:]
    }

    init(_ control: JournalControl) {
        base = Atomic(control.file.bytes)
        memory = Locked(
            Memory(
                files: [control.file], number: Int64(clamping: control.consents.counter.load()),
                identity: control.identities.newest))
    }

    /// Switches to another control file.
    func replace(_ control: JournalControl) {
        memory.withLock { $0.files.append(control.file) }
        base.store(control.file.bytes, ordering: .releasing)
        keepIdentity()
    }

    private var bytes: UnsafeMutableRawPointer { base.load(ordering: .acquiring) }
    var mirror: ConsentMirror { JournalControl.consents(bytes) }
    var identities: IdentityRing { IdentityRing(bytes + JournalControl.identitiesOffset) }

    func record(of person: String) -> ConsentRecord? { mirror.record(of: ConsentMirror.key(of: person)) }

    /// Numbers a change, and applies it in all processes.
    func note(_ change: ConsentChange) -> NumberedConsentChange {
        let mirror = mirror
        let end = JournalControl.drawn(bytes)
        let number = memory.withLock { memory in
            mirror.counter.raise(to: UInt64(memory.number))
            memory.number = mirror.draw()
            return memory.number
        }
        let records = change.records(number: number, record(of:))
        if let (anonymous, user) = change.linked {
            mirror.link(ConsentMirror.key(of: anonymous), to: ConsentMirror.key(of: user))
            mirror.change()
        }
        put(records)
        return NumberedConsentChange(change, number: number, end: end, records: records)
    }

    func put(_ records: [String: ConsentRecord]) {
        guard !records.isEmpty else { return }
        let mirror = mirror
        for (person, record) in records {
            let key = Consents.key(ofStored: person)
            if record.isReadable, mirror.put(record, of: key) { continue }
            memory.withLock { $0.unmirrored[key] = ConsentRecord.newer($0.unmirrored[key], record) }
        }
        mirror.change()
    }

    /// The records in the control file, and those that it has no slot for.
    func records() -> [UInt64: ConsentRecord] {
        mirror.records().merging(memory.withLock { $0.unmirrored }) { ConsentRecord.newer($0, $1) ?? $1 }
    }

    /// The database has a change.
    func wasStored(_ change: NumberedConsentChange) {
        memory.withLock { memory in
            for key in change.records.keys.map(ConsentMirror.key)
            where memory.unmirrored[key]?.number ?? 0 <= change.number {
                memory.unmirrored[key] = nil
            }
        }
    }

    func setIdentity(_ identity: LogIdentity) -> LogIdentity {
        let set = identities.set(identity, atLeast: (memory.withLock { $0.identity }?.number ?? 0) + 1)
        mirror.change()
        keepIdentity()
        return set
    }

    /// Remembers the identity, or restores it if the control file has lost it.
    func keepIdentity() {
        let identities = identities
        let newest = identities.newest
        memory.withLock { memory in
            if let known = memory.identity, known.number > newest?.number ?? 0 {
                identities.put(known)
                mirror.change()
            } else {
                memory.identity = newest
            }
        }
    }
}
