internal import EventModel
internal import Foundation
internal import Primitives

/// The journals of a log, in a folder next to its database: the rings of each writer, and the shared control file.
///
/// Confined to the log's queue. Changes to the set of files need the control file's lock.
package final class JournalFolder {
    static let ringPrefix = "writer-"

    let path: String
    private(set) var control: JournalControl
    /// Every readable ring, including this instance's rings, by name.
    private(set) var rings: [String: JournalRing] = [:]
    /// Files whose damage was reported.
    private var reported: Set<String> = []
    /// Makes this instance's rings. Also keeps track of rings whose files were unlinked, which no other process can
    /// read.
    let supply: JournalSupply
    /// Missing numbers up to this one may have been in a damaged file.
    private(set) var damagedUpTo: Int64 = 0
    private(set) var seenGeneration: UInt64 = .max

    init(path: String, control: JournalControl, supply: JournalSupply? = nil) {
        self.path = path
        self.control = control
        self.supply = supply ?? JournalSupply(folder: path, limit: 0, liveness: .lock)
    }

    package static func path(of database: String) -> String { database + ".journal" }

    /// Finds rings that were added or removed since the last call.
    ///
    /// - Returns: The damaged files; each file is returned once.
    /// - Throws: ``EventLogError`` `newerVersion`; `SystemError`.
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
            switch try JournalRing.find(folder: path, name: name, isWritable: true, system: supply.system) {
            case .ring(let ring): found[name] = ring
            case .damaged(let ring, let reason):
                found[name] = ring
                issues.append(Issue(path: path + "/" + name, reason: "\(name): \(reason)", method: .copy))
            case .empty:
                // Never the ring of a living sender, which names a ring only when it is complete.
                unlink(path + "/" + name)
                noteDamage()
            case .truncated(let size):
                issues.append(
                    Issue(path: path + "/" + name, reason: "\(name): truncated to \(size) bytes", method: .move))
            case .newerVersion(let version):
                throw EventLogError(
                    .newerVersion,
                    "cannot open \(path)/\(name): written by a newer version (format \(version)); update this program")
            }
        }
        rings = found
        seenGeneration = generation
        let news = issues.filter { reported.insert($0.path).inserted }
        if !news.isEmpty { noteDamage() }
        return news
    }

    /// A damaged file.
    struct Issue {
        let path: String
        let reason: String
        /// How it can be quarantined.
        let method: Quarantine.Method
    }

    /// Records that numbers drawn so far may be missing because a file is damaged.
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

    /// Removes rings that their process did not finish. With the lock held, no process is making a ring.
    func removeDrafts() {
        // If the folder cannot be read, the drafts stay.
        for name in FolderNames.readable(in: path)
        where name.hasPrefix(Self.ringPrefix) && name.hasSuffix(".new") { unlink(path + "/" + name) }
    }

    /// Whether no ring was added or removed since the last ``refresh()``.
    var isCurrent: Bool { control.ringsGeneration.load() == seenGeneration }

    /// The rings that this instance writes.
    var ownRings: Set<ObjectIdentifier> { Set(supply.all.map { ObjectIdentifier($0) }) }

    /// Whether this instance writes a ring.
    func isOwn(_ ring: JournalRing) -> Bool { supply.all.contains { $0 === ring } }

    /// Switches to another control file after the previous one was deleted.
    func replaceControl(_ control: JournalControl) {
        self.control = control
        seenGeneration = .max
    }

    /// Removes an empty ring that this instance writes or has seized.
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

    /// The maximum number of sequence numbers that can be drawn but not yet in the database. The counter has no
    /// checksum: if it exceeds the database by more than this, it is damaged.
    static func leap(_ rings: some Collection<JournalRing>) -> Int64 {
        rings.reduce(1 << 20) { $0 + Int64($1.capacity / JournalRecord.headerSize) }
    }

    /// The highest number drawn.
    ///
    /// Repairs a counter that shows a number that cannot have been drawn.
    func drawn(after lastSeq: Int64) -> Int64 {
        let counter = control.counter.load()
        let highest = UInt64(max(lastSeq, 0) + Self.leap(rings.values))
        if counter > highest {
            let known = max(highestNumber(), UInt64(max(lastSeq, 0)))
            if known <= highest, control.counter.exchange(counter, for: known) { return Int64(clamping: known) }
        }
        return min(Int64(clamping: counter), EventRecord.highestSeq)
    }

    /// The highest number in any ring, in a record or being drawn. Used when the counter is lost.
    func highestNumber() -> UInt64 {
        rings.values.map { ring in
            let drawing = ring.drawing.load()
            let last = JournalScan.records(in: ring, after: 0).last?.seq ?? 0
            return max(UInt64(last), drawing <= UInt64(EventRecord.highestSeq) ? drawing : 0)
        }.max() ?? 0
    }

    /// Whether a writer has a ring and is alive.
    func isAlive(_ writer: String) -> Bool {
        rings.values.contains { ($0.name == writer || $0.name.hasPrefix(writer + "-")) && $0.isWriterHeld }
    }

    /// Removes the folder if it has no writers. An identity that is stored nowhere else keeps the control file. Call with
    /// the lock held.
    ///
    /// If another process has removed the folder and a third has created it again, the folder is left alone: the lock
    /// that this process holds is on the former file.
    func removeIfUnused() {
        // If the folder cannot be read, it stays.
        guard control.isNamed, let names = try? Self.ringNames(path), names.isEmpty else { return }
        removeDrafts()
        DiskReserve(folder: path).giveUp()
        guard !control.identities.isUnstored else { return }
        unlink(control.file.path)
        rmdir(path)
    }
}

/// Lists folders that may be missing.
package enum FolderNames {
    /// The names of the files in a folder, unsorted; empty if the folder is missing or cannot be read.
    ///
    /// The only thing lost is whether it is missing or unreadable. Call this where both mean that there is nothing to do;
    /// otherwise call `FileManager.contentsOfDirectory(atPath:)`.
    package static func readable(in folder: String) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch { return [] }
    }
}
