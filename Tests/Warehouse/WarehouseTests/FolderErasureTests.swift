import CommandRunner
import Foundation
import JSONLines
import Primitives
import Testing

@testable import Warehouse

@Suite("Erasing a user from a folder", .timeLimit(.minutes(5)))
struct FolderErasureTests {
    private let folder: TemporaryFolder
    private let output: String

    /// Two blocks in an hour: of user `u` and of user `u1`, whose id begins with the other's; and a fork of `u`.
    init() throws {
        let state = try StateFolder()
        folder = state.folder
        output = folder.path("output")
        let store = FolderStore(folder: output)
        try store.prepare(stream: "s1")
        let partition = try state.open()
        try store.write(
            try partition.block(
                1,
                [
                    StateFolder.message([1...3], batch: 1, hour: 23),
                    StateFolder.message([5...6], batch: 2, user: "u1", hour: 23),
                    StateFolder.message([1...2], of: "b", batch: 3, user: "u1", hour: 24),
                ]), isInDoubt: false)
        try store.write(
            try partition.block(
                2,
                [
                    StateFolder.message([7...7], batch: 4, hour: 23),
                    StateFolder.message([5...5], batch: 5, variant: "!", hour: 23),
                ]), isInDoubt: false)
    }

    private func erase(
        _ user: String = "u", duckdb: String = "no such program", calls: any FileCalls = SystemCalls(),
        in output: String? = nil, report: @escaping (String) -> Void = { Issue.record("damaged: \($0)") }
    ) throws -> FolderErasure.Result {
        try FolderErasure(
            folder: output ?? self.output, user: user, duckdb: duckdb, grace: .zero, calls: calls, report: report
        ).run()
    }

    /// The rows of files, by their paths.
    private func rows(_ table: BlockManifest.Table = .events, in output: String? = nil) throws -> [String: [String]] {
        let folder = LoaderFolder(root: output ?? self.output)
        var found: [String: [String]] = [:]
        for path in folder.files(table, RowFile.suffix) {
            let text = String(decoding: try RowFile.read(folder.full(path)), as: UTF8.self)
            found[path] = text.split(separator: "\n").map(String.init)
        }
        return found
    }

    /// The numbers that are recorded as erased, as often as they are.
    private func erasedNumbers(in output: String? = nil) throws -> [String] {
        try rows(.numbers, in: output).values.joined().flatMap { text -> [String] in
            let row = try #require(JSONValue(validating: text.utf8))
            let first = try #require(row["first"]?.integerValue)
            let last = try #require(row["last"]?.integerValue)
            return (first...last).map { "\(row["install_id"]?.stringValue ?? "")-\($0)" }
        }.sorted()
    }

    /// Compares files with their manifests, and checks that nothing is left over.
    private func checkManifests(in output: String? = nil) throws {
        let folder = LoaderFolder(root: output ?? self.output)
        for block in ["3-1", "3-2"] {
            let manifest = try #require(try folder.manifest(block))
            var rows = BlockRows()
            for file in manifest.files where folder.exists(file.path) {
                #expect(try folder.digest(file.path).sha256 == file.sha256)
                let text = try RowFile.read(folder.full(file.path))
                #expect(text.count { $0 == 0x0A } == file.rows)
                if file.table == .events { try rows.add(text) }
            }
            if manifest.files.allSatisfy({ folder.exists($0.path) }) {
                #expect(rows.installs(of: block) == manifest.installs)
            }
        }
        #expect(folder.names(in: ".erasure").isEmpty && folder.names(in: ".compaction").isEmpty)
    }

    private func copy(_ number: Int) throws -> String {
        let copy = folder.path("copy-\(number)")
        try FileManager.default.copyItem(atPath: output, toPath: copy)
        return copy
    }

    @Test("Rows of other users stay, byte for byte; the numbers are recorded once; manifests fit the files")
    func lines() throws {
        let before = try rows()
        let result = try erase()
        let left = before.mapValues { $0.filter { !$0.contains(#""user_id":"u","#) } }
        #expect(try rows() == left)
        #expect(result[.lines] == .init(files: 3, rewritten: 2, removed: 5, mentions: 0 + 4))
        #expect(result.recordedRanges == 2 && result.damaged.isEmpty)
        // Not the number of the fork, whose number has another row.
        #expect(try erasedNumbers() == ["a-1", "a-2", "a-3", "a-7"])
        try checkManifests()
        let again = try erase()
        #expect(again[.lines].rewritten == 0 && again.recordedRanges == 0)
        #expect(try rows() == left)
        #expect(throws: Never.self) { try erase("u1") }
        #expect(try rows().values.allSatisfy(\.isEmpty))
        try checkManifests()
    }

    @Test("After a kill at any call, other rows are there, and the next run finishes it")
    func kills() throws {
        let left = try rows().mapValues { $0.filter { !$0.contains(#""user_id":"u","#) } }
        var number = 0
        while true {
            number += 1
            let copy = try copy(number)
            let calls = CountedCalls(killedAt: number)
            do { _ = try erase(calls: calls, in: copy) } catch {}
            let now = try rows(in: copy)
            #expect(now.mapValues { $0.filter { !$0.contains(#""user_id":"u","#) } } == left)
            // Another user's erasure finishes a change that was decided.
            if number % 2 == 0 {
                _ = try erase("nobody", in: copy)
                try checkManifests(in: copy)
            }
            #expect(try erase(in: copy)[.lines].left == 0)
            #expect(try rows(in: copy) == left)
            #expect(try erasedNumbers(in: copy) == ["a-1", "a-2", "a-3", "a-7"])
            try checkManifests(in: copy)
            if !calls.isKilled { break }
        }
        #expect(number > 40)
    }

    @Test("A block that a loader completes meanwhile is found complete; a block that it adds is found by the search")
    func nextToLoader() throws {
        let manifest = "\(output)/manifests/3/2.json"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: manifest))
        try FileManager.default.removeItem(atPath: manifest)
        let added = try copy(1)
        let same = try copy(2)
        _ = try erase(
            calls: CountedCalls(hookAt: 1) { try bytes.write(to: URL(fileURLWithPath: manifest)) })
        try checkManifests()

        let counted = CountedCalls()
        _ = try erase(calls: counted, in: same)
        let path = "events/dt=1970-01-01/hour=23/3-1.jsonl.zst"
        let file = try Data(contentsOf: URL(fileURLWithPath: "\(added)/\(path)"))
        let late = CountedCalls(hookAt: counted.renames) {
            try file.write(to: URL(fileURLWithPath: "\(added)/events/dt=1970-01-01/hour=23/9-9.jsonl.zst"))
        }
        #expect(try erase(calls: late, in: added)[.lines].left == 3)
        #expect(try erase(in: added)[.lines].left == 0)
    }

    @Test("A damaged file stays and is reported; the others are erased", arguments: [true, false])
    func damaged(isTruncated: Bool) throws {
        let path = "events/dt=1970-01-01/hour=23/3-1.jsonl.zst"
        let url = URL(fileURLWithPath: "\(output)/\(path)")
        let text = String(decoding: try RowFile.read(url.path), as: UTF8.self)
        let data =
            isTruncated
            ? try Data(contentsOf: url).dropLast(9)
            : Data(try RowFile.compress(Array(text.replacing("u1", with: "u2").utf8)))
        try data.write(to: url)
        var reports: [String] = []
        let result = try erase { reports.append($0) }
        #expect(result.damaged == [path] && reports.count == 1 && reports[0].contains("restore it"))
        #expect(!reports[0].contains("u1"))
        #expect(try Data(contentsOf: url) == data)
        #expect(result[.lines].removed == 2)
    }

    @Test("A folder that is missing or locked, and a DuckDB that is missing, are errors before anything is changed")
    func errors() throws {
        func code(_ body: () throws -> Void) -> LoaderError.Code? {
            #expect(throws: LoaderError.self, performing: body)?.code
        }
        #expect(code { _ = try erase(in: "\(output)/events") } == .missingFolder)
        let lock = try FolderLock("\(output)/.maintenance.lock", LOCK_EX)
        #expect(code { _ = try erase() } == .inUse)
        lock.close()
        try Data().write(to: URL(fileURLWithPath: "\(output)/events/dt=1970-01-01/hour=23/compacted-1.parquet"))
        #expect(code { _ = try erase() } == .unavailable)
        #expect(try erasedNumbers().isEmpty)
    }

    private static let duckdb = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../.build/cluster-environment/bin/duckdb").path

    @Test("A program that ends before it has read its input is reported, and does not end this process")
    func earlyEnd() {
        // More than a pipe holds.
        let sql = String(repeating: " ", count: 1 << 20)
        #expect(throws: DuckDB.Failure.self) { try DuckDB(program: "false").run(sql) }
    }

    @Test(
        "A Parquet file loses the user's rows, and its record and the manifests of its blocks change with it",
        .enabled("needs DuckDB: tools/cluster/environment") {
            FileManager.default.isExecutableFile(atPath: duckdb)
        })
    func parquet() throws {
        let program = DuckDB(program: Self.duckdb)
        let loaderFolder = LoaderFolder(root: output)
        let hour = "events/dt=1970-01-01/hour=23"
        let path = "\(hour)/compacted-1.parquet"
        let sources = ["\(hour)/3-1.jsonl.zst", "\(hour)/3-2.jsonl.zst"]
        let list = sources.map { "'\(output)/\($0)'" }.joined(separator: ", ")
        let columns = "received_at: 'TIMESTAMP', seq: 'UBIGINT'" + UserRows.texts.map { ", \($0): 'VARCHAR'" }.joined()
        _ = try program.run(
            """
            COPY (FROM read_json([\(list)], format = 'newline_delimited', hive_partitioning = false,
                columns = {\(columns), line: 'VARCHAR', block: 'VARCHAR'}))
            TO '\(output)/\(path)' (FORMAT parquet)
            """)
        let digest = try loaderFolder.digest(path)
        let files = sources.enumerated().map { index, source in
            #"{"path":"\#(source)","block":"3-\#(index + 1)","rows":\#(index == 0 ? 5 : 2),"bytes":1,"sha256":"x"}"#
        }
        try loaderFolder.make("compactions", SystemCalls())
        try Data(
            """
            {"parquet":{"path":"\(path)","rows":7,"bytes":\(digest.bytes),"sha256":"\(digest.sha256)"},"files":[\(files[0]),\(files[1])]}
            """.utf8
        ).write(to: URL(fileURLWithPath: "\(output)/compactions/1970-01-01-23-1.json"))
        for source in sources { try FileManager.default.removeItem(atPath: "\(output)/\(source)") }

        let result = try erase(duckdb: Self.duckdb)
        #expect(result[.parquet] == .init(files: 1, rewritten: 1, removed: 5, mentions: 2))
        #expect(try erasedNumbers() == ["a-1", "a-2", "a-3", "a-7"])
        let rows = try program.run("SELECT user_id, seq, block FROM \(DuckDB.parquet(["\(output)/\(path)"]))")
        #expect(String(decoding: rows, as: UTF8.self) == "u1|5|3-1\nu1|6|3-1\n")
        let record = try loaderFolder.decoded("compactions/1970-01-01-23-1.json", CompactionRecord.init)
        #expect(record.parquet.rows == 2 && record.files.map(\.rows) == [2, 0])
        #expect(record.parquet.digest.sha256 == (try loaderFolder.digest(path).sha256))
        let manifests = try ["3-1", "3-2"].map { try #require(try loaderFolder.manifest($0)) }
        #expect(manifests[0].installs.map(\.ranges) == [[5...6], [1...2]] && manifests[1].installs.isEmpty)
        #expect(manifests.map { $0.files[0].rows } == [2, 0])
        #expect(try erase(duckdb: Self.duckdb)[.parquet].rewritten == 0)
    }
}

/// The system's calls, counted. From a call on all fail, as after a kill; or a closure runs before a rename.
private final class CountedCalls: FileCalls {
    private let system = SystemCalls()
    private let killedAt: Int
    private let hookAt: Int
    private let hook: @Sendable () throws -> Void
    private let counts = Locked((calls: 0, renames: 0))

    init(killedAt: Int = .max, hookAt: Int = .max, hook: @escaping @Sendable () throws -> Void = {}) {
        self.killedAt = killedAt
        self.hookAt = hookAt
        self.hook = hook
    }

    var isKilled: Bool { counts.withLock { $0.calls >= killedAt } }
    var renames: Int { counts.withLock { $0.renames } }

    private func count(_ path: String) throws {
        let isKilled = counts.withLock { counts in
            counts.calls += 1
            return counts.calls >= killedAt
        }
        if isKilled { throw SystemError("kill", code: EINTR, path: path) }
    }

    func create(_ path: String) throws -> CInt {
        try count(path)
        return try system.create(path)
    }

    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, path: String) throws -> Int {
        // Half of the bytes are written when it is killed.
        do { try count(path) } catch {
            _ = try system.write(
                descriptor, UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2)), path: path)
            throw error
        }
        return try system.write(descriptor, bytes, path: path)
    }

    func sync(_ descriptor: CInt, path: String) throws { try count(path) }

    func syncFolder(_ path: String) throws { try count(path) }

    func rename(_ path: String, to other: String) throws {
        try count(path)
        let number = counts.withLock { counts in
            counts.renames += 1
            return counts.renames
        }
        if number == hookAt { try hook() }
        try system.rename(path, to: other)
    }

    func remove(_ path: String) throws {
        try count(path)
        try system.remove(path)
    }

    func close(_ descriptor: CInt) { system.close(descriptor) }
}
