internal import EventModel
internal import Foundation

/// The journals of a log, in a folder beside its database: one ring a writer, and the control file they share.
///
/// Confined to the log's queue. Whatever changes the set of files runs under the control file's lock.
package final class JournalFolder {
    static let ringPrefix = "writer-"

    let path: String
    private(set) var control: JournalControl
    /// Every readable ring, this instance's own among them, by name.
    private(set) var rings: [String: JournalRing] = [:]
    /// Files whose fault was reported.
    private var reported: Set<String> = []
    /// Makes this instance's rings, and knows them also when their files have lost their names: nobody else can read them
    /// then.
    let supply: JournalSupply
    /// Numbers up to this one that are missing may have been in a file that was damaged.
    private(set) var damagedUpTo: Int64 = 0
    private(set) var seenGeneration: UInt64 = .max

    init(path: String, control: JournalControl, supply: JournalSupply? = nil) {
        self.path = path
        self.control = control
        self.supply = supply ?? JournalSupply(folder: path, limit: 0, liveness: .lock)
    }

    /// The folder of the journals of a database.
    package static func path(of database: String) -> String { database + ".journal" }

    /// Looks for rings that came or went since the last time.
    ///
    /// - Returns: The files that are damaged, each told once.
    /// - Throws: ``EventLogError`` `newerVersion`; ``SystemError``.
    func refresh() throws -> [Issue] {
        let generation = control.ringsGeneration.load()
        guard generation != seenGeneration else { return [] }
        var found = Dictionary(supply.all.map { ($0.name, $0) }) { ring, _ in ring }
        var issues: [Issue] = []
        for name in try Self.ringNames(path) {
            if found[name] != nil { continue }
            if let known = rings[name] {
                found[name] = known
                continue
            }
            switch try JournalRing.find(folder: path, name: name, isWritable: true) {
            case .ring(let ring): found[name] = ring
            case .damaged(let ring, let reason):
                found[name] = ring
                issues.append(Issue(path: path + "/" + name, reason: "\(name): \(reason)", way: .copy))
            case .empty:
                // Never a living sender's: it names a ring when that is whole.
                unlink(path + "/" + name)
                noteDamage()
            case .cut(let size):
                issues.append(
                    Issue(path: path + "/" + name, reason: "\(name): it was cut to \(size) bytes", way: .move))
            case .newerVersion(let version):
                throw EventLogError(
                    .newerVersion,
                    "\(path)/\(name) was written by a newer version (format \(version)): update this program")
            }
        }
        rings = found
        seenGeneration = generation
        let news = issues.filter { reported.insert($0.path).inserted }
        if !news.isEmpty { noteDamage() }
        return news
    }

    /// A file that is not what it was made as.
    struct Issue {
        let path: String
        let reason: String
        /// How it can be put aside.
        let way: Quarantine.Way
    }

    /// Takes note that numbers drawn so far may be missing because a file was damaged.
    func noteDamage() { damagedUpTo = min(Int64(clamping: control.counter.load()), EventRecord.highestSeq) }

    /// The names of the ring files in a folder.
    package static func ringNames(_ path: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path).filter {
                $0.hasPrefix(ringPrefix) && !$0.hasSuffix(".new")
            }.sorted()
        } catch {
            throw SystemError("opendir", code: ENOENT, path: path)
        }
    }

    /// Removes what was never finished by whoever made it. Under the lock nobody is making any.
    func removeDrafts() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []  // lost: some tidiness
        for name in names where name.hasPrefix(Self.ringPrefix) && name.hasSuffix(".new") { unlink(path + "/" + name) }
    }

    /// Whether no ring has come or gone since the last look.
    var isCurrent: Bool { control.ringsGeneration.load() == seenGeneration }

    /// The rings that this instance writes.
    var ownRings: Set<ObjectIdentifier> { Set(supply.all.map { ObjectIdentifier($0) }) }

    /// Whether this instance writes a ring.
    func isOwn(_ ring: JournalRing) -> Bool { supply.all.contains { $0 === ring } }

    /// Whether a file is of format 1, whose writers hold no lock.
    func holdsFormerFormat() -> Bool {
        if case .success(let identity) = control.identity, identity.version < JournalControl.version { return true }
        return rings.values.contains { ring in if case .former? = ring.writer?.liveness { true } else { false } }
    }

    /// Goes on with another control file, after somebody has removed the one before.
    func replaceControl(_ control: JournalControl) {
        self.control = control
        seenGeneration = .max
    }

    /// Removes a ring that holds nothing any more: one of our own, or one that was seized.
    func remove(_ ring: JournalRing) {
        if ring.file.isNamed { unlink(path + "/" + ring.name) }
        forget(ring)
    }

    /// Forgets a ring whose file was moved away.
    func forget(_ ring: JournalRing) {
        supply.forget(ring)
        rings[ring.name] = nil
        control.journalBytes.subtract(UInt64(ring.capacity))
        control.ringsGeneration.increment()
    }

    /// How many numbers can be drawn that are not in the database yet. The counter has no checksum: one further off is
    /// a damaged one.
    static func leap(_ rings: some Collection<JournalRing>) -> Int64 {
        rings.reduce(1 << 20) { $0 + Int64($1.capacity / JournalRecord.headerSize) }
    }

    /// The highest number that was drawn.
    ///
    /// A counter that shows a number which nobody can have drawn is a damaged one, and set right.
    func drawn(after lastSeq: Int64) -> Int64 {
        let counter = control.counter.load()
        let highest = UInt64(max(lastSeq, 0) + Self.leap(rings.values))
        if counter > highest {
            let known = max(highestNumber(), UInt64(max(lastSeq, 0)))
            if known <= highest, control.counter.exchange(counter, for: known) { return Int64(clamping: known) }
        }
        return min(Int64(clamping: counter), EventRecord.highestSeq)
    }

    /// The highest number that any ring tells of: one of its records, or one being drawn. For a counter that was lost.
    func highestNumber() -> UInt64 {
        rings.values.map { ring in
            let drawing = ring.drawing.load()
            let last = JournalScan.records(in: ring, after: 0).last?.seq ?? 0
            return max(UInt64(last), drawing <= UInt64(EventRecord.highestSeq) ? drawing : 0)
        }.max() ?? 0
    }

    /// Whether a writer is there and alive.
    func isAlive(_ writer: String) -> Bool {
        rings.values.contains { ($0.name == writer || $0.name.hasPrefix(writer + "-")) && $0.isWriterHeld }
    }

    /// Removes the folder, if nobody writes here any more. Under the lock.
    ///
    /// Another one may have removed it before, and a third may have made it again: then it is theirs, and the lock that is
    /// held here keeps nobody out.
    func removeIfUnused() {
        // Where it cannot be read it stays: no harm.
        guard control.isNamed, let names = try? Self.ringNames(path), names.isEmpty else { return }
        removeDrafts()
        DiskReserve(folder: path).giveUp()
        unlink(control.file.path)
        rmdir(path)
    }
}
