internal import EventModel
internal import Primitives

/// The people's consent and the identity, for threads that must not wait: all records of the log in memory, and the changes
/// of other processes from the log's current control file.
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
        var table: ConsentTable
        /// The named purposes that the log knows.
        var purposes: [Purpose]
        /// The generation of the mirror whose changes the table has.
        var generation: UInt64 = 0
        /// Whether the table has all records. Otherwise those that are not in the mirror are in the database.
        var isComplete = true
        /// Which records without a slot the table has.
        var overflow: UInt64
        /// Reads the database on another thread.
        var reload: (@Sendable () -> Void)?
    }

    /// - Parameters:
    ///   - table: What the database has.
    ///   - purposes: The purposes that the database has.
    init(_ control: JournalControl, table: ConsentTable, purposes: [Purpose]) {
        base = Atomic(control.file.bytes)
        memory = Locked(
            Memory(
                files: [control.file], number: Int64(clamping: control.consents.counter.load()),
                identity: control.identities.newest, table: table,
                purposes: [], overflow: control.consents.overflow.load()))
        addPurposes(purposes)
    }

    /// - Parameter reload: Starts reading the database on another thread. Called under a lock.
    func whenIncomplete(_ reload: @escaping @Sendable () -> Void) { memory.withLock { $0.reload = reload } }

    /// Switches to another control file.
    func replace(_ control: JournalControl) {
        memory.withLock { memory in
            memory.files.append(control.file)
            memory.overflow = control.consents.overflow.load()
            memory.generation = 0
        }
        base.store(control.file.bytes, ordering: .releasing)
        addPurposes(memory.withLock { $0.purposes })
        keepIdentity()
    }

    private var bytes: UnsafeMutableRawPointer { base.load(ordering: .acquiring) }
    var mirror: ConsentMirror { JournalControl.consents(bytes) }
    var identities: IdentityRing { IdentityRing(bytes + JournalControl.identitiesOffset) }
    private var names: PurposeNames { PurposeNames(bytes + JournalControl.purposesOffset) }

    // MARK: Reading

    /// The record of a subject; ``ConsentRecord/unreadable`` if only the database has it.
    func record(of subject: ConsentSubject) -> ConsentRecord? {
        let person = ConsentMirror.key(of: subject.person)
        return upToDate { memory, record in memory.table.record(of: person, for: subject.purpose, record) }
    }

    /// The record with a key in memory, whether the database has a newer one or not.
    func known(at key: UInt64) -> ConsentRecord? { upToDate { memory, _ in memory.table[key] } }

    var isUnrestricted: Bool { upToDate { memory, _ in memory.isComplete && memory.table.isUnrestricted } }

    func rule(of person: UInt64?, for purpose: Purpose) -> ConsentRule {
        upToDate { memory, record in memory.table.rule(of: person, for: purpose, record) }
    }

    /// The bits of the purposes that a person has denied; nil if only the database has some records.
    func deniedPurposes(of person: UInt64, among purposes: [Purpose]) -> Int? {
        upToDate { memory, record in
            record == nil ? memory.table.deniedPurposes(of: person, among: purposes) : nil
        }
    }

    func keys(of person: UInt64) -> [UInt64] { upToDate { memory, _ in memory.table.keys(of: person) } }

    /// The named purposes that this process or another one knows.
    var purposes: [Purpose] {
        let names = names.all
        return memory.withLock { memory in
            memory.purposes += names.filter { !memory.purposes.contains($0) }
            return memory.purposes
        }
    }

    /// Whether a record that is not in the mirror must be read from the database.
    var isComplete: Bool { upToDate { memory, _ in memory.isComplete } }

    /// - Parameter body: Its second argument looks up a record; nil if the table has all.
    private func upToDate<Value>(_ body: (inout Memory, ((UInt64) -> ConsentRecord?)?) -> Value) -> Value {
        let mirror = mirror
        return memory.withLock { memory in
            let generation = mirror.generation.load()
            if generation != memory.generation {
                let overflow = mirror.overflow.load()
                mirror.forEachRecord { memory.table.merge($1, at: $0) }
                memory.table.link(mirror.links)
                memory.isComplete = mirror.isIntact && overflow == memory.overflow
                memory.generation = generation
                if !memory.isComplete { memory.reload?() }
            }
            if memory.isComplete { return body(&memory, nil) }
            let records = mirror.records()
            let table = memory.table
            return body(&memory) { key in records[key] == nil ? .unreadable : table[key] }
        }
    }

    /// Adds changes that a process wrote before it ended, and did not announce any more.
    func synchronize() {
        let mirror = mirror
        let records = mirror.records()
        let links = mirror.links
        let hasNews = memory.withLock { memory in
            memory.table.link(links)
            return records.filter { memory.table.merge($1, at: $0) }.count > 0
        }
        if hasNews { mirror.change() }
    }

    // MARK: Changes

    /// Numbers a change, and applies it in all processes.
    func note(_ change: ConsentChange) -> NumberedConsentChange {
        addPurposes(change.purposes)
        let mirror = mirror
        let end = JournalControl.drawn(bytes)
        let number = memory.withLock { memory in
            mirror.counter.raise(to: UInt64(memory.number))
            memory.number = mirror.draw()
            return memory.number
        }
        let records = change.records(number: number, purposes: purposes, record)
        if let (anonymous, user) = change.linked {
            mirror.link(ConsentMirror.key(of: anonymous), to: ConsentMirror.key(of: user))
            mirror.change()
        }
        put(records)
        return NumberedConsentChange(change, number: number, end: end, records: records)
    }

    /// Applies records in all processes, unless all have them. Another process reads those without a slot from the database.
    ///
    /// - Parameter areStored: Whether the database has them.
    func put(_ records: [ConsentSubject: ConsentRecord], areStored: Bool = false) {
        let mirror = mirror
        var hasNews = false
        for (subject, record) in records where record.isReadable {
            let key = subject.key
            let isNew = memory.withLock { $0.table.merge(record, at: key) }
            if isNew { hasNews = true }
            guard !mirror.put(record, of: key, onChange: { hasNews = true }), isNew || areStored else { continue }
            hasNews = true
            memory.withLock { memory in
                let count = mirror.overflow.increment()
                if count == memory.overflow + 1 { memory.overflow = count }
            }
        }
        if hasNews { mirror.change() }
    }

    /// Adds purposes in all processes.
    func addPurposes(_ purposes: [Purpose]) {
        let names = names
        memory.withLock { memory in
            for purpose in purposes where purpose != .exempt {
                if !memory.purposes.contains(purpose) { memory.purposes.append(purpose) }
                names.add(purpose)
            }
        }
    }

    /// Adds what the database has. Call with the control file's lock held.
    func load(_ add: (inout ConsentTable) throws -> Void) rethrows {
        let mirror = mirror
        let overflow = mirror.overflow.load()
        var table = memory.withLock { $0.table }
        try add(&table)
        memory.withLock { memory in
            // Changes since then are in the mirror, or in the former table.
            table.merge(memory.table)
            memory.table = table
            memory.overflow = overflow
            memory.generation = 0
        }
        mirror.change()
    }

    // MARK: Identity

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
