import EventModel
import Foundation
import LogFixtures
import Primitives
import Testing

@testable import EventLog

/// After a power failure a folder may have lost some names, and files may be shorter or empty.
@Suite("The order in which files are synced")
struct DiskOrderTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    /// Opens the log.
    ///
    /// - Returns: The syncs until it was open.
    private func opened() throws -> (SQLiteEventStore, [DiskOrder.Step]) {
        let steps = Locked<[DiskOrder.Step]>([])
        var options = SQLiteEventStore.Options(installID: { "install-1" }, retention: .keepAll)
        options.system.willSync = { step in steps.withLock { $0.append(step) } }
        let store = try SQLiteEventStore(path: folder.path, options: options)
        return (store, steps.withLock { $0 })
    }

    @Test("a ring's bytes are synced before its name, and both before the control file refers to it")
    func ring() throws {
        let journal = folder.journal
        try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: false)
        let names = Locked<[[String]]>([])
        let steps = Locked<[DiskOrder.Step]>([])
        var system = LogSystem()
        system.willSync = { step in
            steps.withLock { $0.append(step) }
            let found = (try? FileManager.default.contentsOfDirectory(atPath: journal)) ?? []
            names.withLock { $0.append(found) }
        }
        let ring = try JournalRing.create(folder: journal, name: "writer-1-a", capacity: 64 << 10, system: system)
        #expect(steps.withLock { $0 } == [.file(ring.file.path + ".new"), .folder(journal)])
        #expect(names.withLock { $0 } == [["writer-1-a.new"], ["writer-1-a"]])
    }

    @Test("the first opening syncs the control file and its folder; later openings sync only the ring")
    func opening() async throws {
        let (store, first) = try opened()
        let control = folder.journal + "/control"
        #expect(
            Array(first.prefix(3)) == [.file(control), .folder(folder.journal), .folder(folder.url.path)])
        let (other, second) = try opened()
        #expect(second.count == 2 && !second.contains(.file(control)) && second.last == .folder(folder.journal))
        for store in [store, other] { try await store.close() }
    }

    @Test(
        "a damaged database and its -wal file are moved on the disk before the new database gets the name"
    )
    func exchange() async throws {
        let store = try folder.open()
        for _ in 1...50 { store.append() }
        try await store.close()
        try folder.change(folder.path) { bytes in
            bytes.replaceSubrange(0..<4096, with: Array(repeating: 0xEE, count: 4096))
        }
        let (salvaged, steps) = try opened()
        let parent = DiskOrder.Step.folder(folder.url.path)
        let exchange: [DiskOrder.Step] = [parent, .folder(folder.path + ".damaged-1"), parent, parent]
        #expect(steps.indices.contains { Array(steps[$0...].prefix(4)) == exchange })
        #expect(try await salvaged.seqs() == Array(1...50))
        try await salvaged.close()
    }

    /// The files of a log that was not closed: events 1 to 20 are on the disk, 21 to 30 in the journal only.
    private func leave() async throws -> [String: Data] {
        let store = try folder.open()
        for _ in 1...20 { store.append() }
        try await store.flushToDisk()
        let dead = try LoneWriter(folder)
        for _ in 21...30 { dead.append() }
        dead.ring.markGone()
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).filter {
            !$0.hasSuffix("-shm")
        }
        return try names.reduce(into: [:]) { files, name in
            let path = folder.url.appendingPathComponent(name).path
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                return
            }
            files[name] = try Data(contentsOf: URL(fileURLWithPath: path))
        }
    }

    /// The effects of a power failure on a file that was not synced.
    private enum Loss: CaseIterable {
        case none, name, length, bytes, renaming
    }

    @Test(
        "after any power failure synced events are there, and no number is drawn twice"
    )
    func directories() async throws {
        let files = try await leave()
        let journals = files.keys.filter { $0.contains(".journal/") && !$0.hasSuffix("/reserve") }.sorted()
        #expect(journals.count >= 3)
        var combinations: [[Loss]] = [[]]
        for name in journals {
            // Only rings get their names when they are complete.
            let losses = Loss.allCases.filter { $0 != .renaming || name.contains("writer-") }
            combinations = combinations.flatMap { start in losses.map { start + [$0] } }
        }
        for combination in combinations {
            let copy = try LogFolder()
            try FileManager.default.createDirectory(atPath: copy.journal, withIntermediateDirectories: false)
            for (name, bytes) in files where !journals.contains(name) {
                try bytes.write(to: copy.url.appendingPathComponent(name))
            }
            for (name, loss) in zip(journals, combination) {
                let target = copy.url.appendingPathComponent(name)
                guard let bytes = files[name] else { continue }
                switch loss {
                case .none: try bytes.write(to: target)
                case .name: break
                case .length: try Data().write(to: target)
                case .bytes: try Data(count: bytes.count).write(to: target)
                case .renaming: try bytes.write(to: URL(fileURLWithPath: target.path + ".new"))
                }
            }
            let store = try copy.open()
            let seqs = try await store.seqs()
            #expect(Array(seqs.prefix(20)) == Array(1...20), "\(combination)")
            #expect(Set(seqs).isSubset(of: Set(1...30)), "\(combination)")
            let next = try store.append().get().seq
            #expect(next > seqs.last ?? 0, "\(combination)")
            try await store.commit()
            let lost = try await store.ledger().reduce(0) { $0 + $1.count }
            #expect(Int64(seqs.count) + lost == next - 1, "\(combination)")
            try await store.close()
            #expect(
                try copy.names().filter { !$0.contains(".damaged-") } == ["events.sqlite"], "\(combination)")
        }
    }
}
