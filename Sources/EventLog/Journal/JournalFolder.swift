internal import Foundation

/// The journals of a log, in a folder beside its database: one ring a writer, and the control file they share.
///
/// Confined to the log's queue. Whatever changes the set of files runs under the control file's lock.
final class JournalFolder {
    private static let ringPrefix = "writer-"

    let path: String
    let control: JournalControl
    /// Every readable ring, this instance's own among them, by name.
    private(set) var rings: [String: JournalRing] = [:]
    /// Files whose fault was reported.
    private var damaged: [String: String] = [:]
    /// Rings without a file of that name: only this instance can read them.
    private var orphans: [JournalRing] = []
    private(set) var seenGeneration: UInt64 = .max

    init(path: String, control: JournalControl) {
        self.path = path
        self.control = control
    }

    /// The folder of the journals of a database.
    static func path(of database: String) -> String { database + ".journal" }

    /// Looks for rings that came or went since the last time.
    ///
    /// - Returns: The rings whose file is damaged, each told once.
    /// - Throws: ``EventLogError`` `newerVersion`; ``SystemError``.
    func refresh() throws -> [(ring: JournalRing, reason: String)] {
        let generation = control.ringsGeneration.load()
        guard generation != seenGeneration else { return [] }
        var found: [String: JournalRing] = [:]
        var faults: [(JournalRing, String)] = []
        for name in try Self.ringNames(path) {
            if let known = rings[name] {
                found[name] = known
                continue
            }
            switch try JournalRing.find(folder: path, name: name, isWritable: true) {
            case .ring(let ring): found[name] = ring
            case .damaged(let ring, let reason):
                found[name] = ring
                if damaged.updateValue(reason, forKey: name) == nil { faults.append((ring, reason)) }
            case .empty: unlink(path + "/" + name)  // made by somebody who ended before anything stood in it
            case .newerVersion(let version):
                throw EventLogError(
                    .newerVersion,
                    "\(path)/\(name) was written by a newer version (format \(version)): update this program")
            }
        }
        for ring in orphans { found[ring.name] = ring }
        rings = found
        seenGeneration = generation
        return faults
    }

    /// The names of the ring files in a folder.
    static func ringNames(_ path: String) throws -> [String] {
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

    /// Makes a ring for a writer of this process.
    ///
    /// - Throws: ``SystemError``.
    func makeRing(capacity: Int) throws -> JournalRing {
        let process = ProcessIdentity.current
        let name = "\(Self.ringPrefix)\(process.pid)-\(String(UInt64.random(in: 0...(.max)), radix: 16))"
        let ring = try JournalRing.create(folder: path, name: name, capacity: capacity, writer: process)
        rings[name] = ring
        control.ringsGeneration.increment()
        return ring
    }

    /// Keeps a ring whose file has lost its name, for what it still holds.
    func adopt(_ ring: JournalRing) {
        orphans.append(ring)
        rings[ring.name] = ring
    }

    /// Removes a ring that holds nothing any more.
    func remove(_ ring: JournalRing) {
        unlink(path + "/" + ring.name)
        forget(ring)
    }

    /// Forgets a ring whose file was moved away.
    func forget(_ ring: JournalRing) {
        orphans.removeAll { $0 === ring }
        rings[ring.name] = nil
        control.ringsGeneration.increment()
    }

    /// Whether a writer with this name is there and alive.
    func isAlive(_ name: String) -> Bool { rings[name]?.isWriterAlive ?? false }

    /// Removes the folder, if nobody writes here any more.
    func removeIfUnused() {
        guard let names = try? Self.ringNames(path), names.isEmpty else { return }  // it stays: no harm
        unlink(control.file.path)
        rmdir(path)
    }
}
