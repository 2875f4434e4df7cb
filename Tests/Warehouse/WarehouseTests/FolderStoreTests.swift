import CommandRunner
import DeliveryProtocol
import Foundation
import JSONLines
import LogFiles
import Primitives
import StreamClient
import Testing
import Warehouse

@Suite("Folders")
struct FolderStoreTests {
    private let folder: StateFolder
    private let output: String
    private let store: FolderStore

    init() throws {
        folder = try StateFolder()
        output = folder.folder.path("output")
        store = FolderStore(folder: output)
        try store.prepare(stream: "s1")
    }

    private func files() -> [String] {
        (FileManager.default.enumerator(atPath: output)?.allObjects as? [String] ?? []).filter {
            $0.contains(".") && $0 != ".files.lock"
        }.sorted()
    }

    private func text(_ path: String) throws -> String {
        var lines: [String] = []
        try LogFileReader(path: "\(output)/\(path)").forEachLine { line, _ in
            if case .complete(let bytes) = line { lines.append(String(decoding: bytes, as: UTF8.self) + "\n") }
        }
        return lines.joined()
    }

    private func block() throws -> Block {
        try folder.open().block(
            1,
            [
                StateFolder.message([1...3], batch: 1, hour: 23, absent: [.init(4...4, .held)]),
                StateFolder.message([1...1], of: "b", batch: 2, hour: 24, absent: [.init(2...2, .dropped)]),
                StateFolder.message([2...2], batch: 3, variant: "!", hour: 24),
            ])
    }

    @Test("Rows are in the folder of their hour; the manifest lists files, ranges and hashes")
    func layout() throws {
        let block = try block()
        try store.write(block, isInDoubt: true)
        #expect(
            files() == [
                "events/dt=1970-01-01/hour=23/3-1.jsonl.zst", "events/dt=1970-01-02/hour=00/3-1.jsonl.zst",
                "manifests/3/1.json", "numbers/dt=1970-01-01/3-1.jsonl.zst", "numbers/dt=1970-01-02/3-1.jsonl.zst",
            ])
        for (path, group) in zip(files()[..<2], block.events) {
            #expect(try text(path) == String(decoding: group.text, as: UTF8.self))
        }
        for (path, group) in zip(files()[3...], block.numbers) {
            #expect(try text(path) == String(decoding: group.text, as: UTF8.self))
        }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(output)/manifests/3/1.json"))
        let manifest = try BlockManifest(try JSONParser.parse(bytes))
        #expect(manifest.block == "3-1" && manifest.after == 0 && manifest.through == 10)
        #expect(manifest.installs == block.installs && manifest.installs.count == 3)
        #expect(manifest.files.map(\.path) == files().filter { !$0.hasPrefix("manifests") })
        #expect(manifest.files.map(\.rows) == [3, 2, 1, 1])
        for file in manifest.files {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(output)/\(file.path)"))
            #expect(Int64(bytes.count) == file.bytes && SHA256.hexadecimal(bytes) == file.sha256)
        }
        let mode = try FileManager.default.attributesOfItem(atPath: "\(output)/manifests/3/1.json")[
            .posixPermissions]
        #expect(mode as? Int == 0o600)
    }

    @Test("A block that was interrupted anywhere is completed, with the same bytes")
    func interrupted() throws {
        let block = try block()
        try store.write(block, isInDoubt: false)
        let all = files()
        let before = try all.map { try Data(contentsOf: URL(fileURLWithPath: "\(output)/\($0)")) }
        for kept in 0..<all.count - 1 {
            // The manifest is written last; a draft is left.
            try FileManager.default.removeItem(atPath: "\(output)/manifests/3/1.json")
            let data = all.filter { !$0.hasPrefix("manifests") }
            for path in data.dropFirst(kept) {
                try FileManager.default.removeItem(atPath: "\(output)/\(path)")
                let (parent, name) = (
                    (path as NSString).deletingLastPathComponent, (path as NSString).lastPathComponent
                )
                try Data("half".utf8).write(to: URL(fileURLWithPath: "\(output)/\(parent)/.\(name).draft"))
            }
            try store.write(block, isInDoubt: true)
            #expect(files() == all)
            #expect(try all.map { try Data(contentsOf: URL(fileURLWithPath: "\(output)/\($0)")) } == before)
        }
    }

    @Test("A block with a manifest is left alone: its files may be compacted")
    func complete() throws {
        let block = try block()
        try store.write(block, isInDoubt: false)
        let path = "\(output)/events/dt=1970-01-01/hour=23/3-1.jsonl.zst"
        try FileManager.default.removeItem(atPath: path)
        try store.write(block, isInDoubt: true)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A folder that cannot be written is an error with advice")
    func unusable() throws {
        let path = folder.folder.path("file")
        try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: LoaderError.self) { try FolderStore(folder: path).prepare(stream: "s1") }
        #expect(error?.code == .cannotOpen && error?.message.contains("cannot write to \(path)") == true)
    }
}
