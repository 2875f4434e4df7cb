import CommandRunner
import Foundation
import LogFiles
import Testing

@testable import LogMaintenance

@Suite("Files of lines")
struct LineFileTests {
    @Test(
        "are recognized by their names",
        arguments: [
            ("b.jsonl", LineFile.Role.open, "b"), ("b.jsonl.gz", .open, "b"),
            ("b-0000000000000012.jsonl", .finished(position: 12), "b"),
            ("b-0000000000000012.jsonl.gz", .finished(position: 12), "b"),
            ("b-12.jsonl", .open, "b-12"), ("b.jsonl.3", .finished(position: -3), "b"),
            ("b.jsonl.3.gz", .finished(position: -3), "b"), ("b.jsonl.damaged-2", .setAside, "b"),
            ("b.jsonl.3.gz.damaged-2", .setAside, "b"), ("b.jsonl.torn-1", .setAside, "b"),
            ("b.dlq.jsonl", .deadLetters, "b.dlq"), ("b.rejects.jsonl.gz", .deadLetters, "b.rejects"),
            ("actions.jsonl", .recording, "actions"), ("tap.actions.jsonl", .recording, "tap.actions"),
            ("b.jsonl.partial", .partial, "b"), ("b.jsonl.gz.partial", .partial, "b"),
            ("b.ndjson", .open, "b"), ("b.jsonl.zst", .open, "b"), ("b.ndjson.2.zst", .finished(position: -2), "b"),
            ("b.jsonl-20180912.torn-1", .setAside, "b"), ("b.dlq.jsonl.1", .deadLetters, "b.dlq"),
            ("actions.jsonl-20180912.gz", .recording, "actions"),
            ("b.jsonl-20180912", .finished(position: .min + 20_180_912_000_000_000), "b"),
        ])
    func names(name: String, role: LineFile.Role, series: String) throws {
        let file = try #require(LineFile(path: "/folder/\(name)"))
        #expect(file.role == role && file.series == series && file.path == "/folder/\(name)")
    }

    @Test("are sorted by their events, whatever the kind of rotation")
    func locations() throws {
        let names = [
            "b.jsonl-20180911", "b.jsonl.2018-09-12", "b.jsonl-20180912-07.gz", "b.jsonl.12", "b.jsonl.2",
            "b-0000000000000001.jsonl", "b-0000000000000012.jsonl", "b.jsonl",
        ]
        let positions = try names.map { try #require(LineFile(path: $0)).position }
        #expect(positions == positions.sorted() && Set(positions).count == names.count)
    }

    @Test("know the path of the file they were compressed from")
    func unpacked() throws {
        #expect(LineFile(path: "/f/b.jsonl.2.zst")?.unpackedPath == "/f/b.jsonl.2")
        #expect(LineFile(path: "b.ndjson.gz")?.unpackedPath == "b.ndjson")
        #expect(LineFile(path: "/f/b.jsonl")?.unpackedPath == nil)
    }

    @Test("compressed in a way that cannot be written are never written uncompressed")
    func zstd() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "b.jsonl.zst")
        #expect {
            _ = try LogFileWriter(replacing: path, format: .zstd)
        } throws: { error in (error as? LogFileError)?.code == .cannotWrite }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["b.jsonl.zst"])
    }

    @Test("do not include other files", arguments: ["storage.json", "b.sqlite", "jsonl", "b.jsonl.bak", "b.partial"])
    func others(name: String) { #expect(LineFile(path: "/folder/\(name)") == nil) }

    @Test("replace another file completely or not at all", arguments: [LogFileFormat.text, .gzip])
    func replacing(format: LogFileFormat) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "b.jsonl")
        let text = (0..<60_000).map { "line \($0)\n" }.joined()
        do {
            let writer = try LogFileWriter(replacing: path, format: format)
            try writer.write(Array(text.utf8))
        }
        #expect(try folder.read("b.jsonl") == Data("old".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["b.jsonl"])
        let writer = try LogFileWriter(replacing: path, format: format)
        for line in text.split(separator: "\n") { try writer.write(Array("\(line)\n".utf8)) }
        try writer.finish()
        let blocks = try LogFileBlocks(path: path)
        #expect(blocks.format == format)
        var read: [UInt8] = []
        while let block = try blocks.next() { read += block }
        #expect(read == Array(text.utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["b.jsonl"])
    }

    @Test("include an empty file, which can be compressed, too")
    func emptyGzip() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "b.jsonl.gz")
        try LogFileWriter(replacing: path, format: .gzip).finish()
        let blocks = try LogFileBlocks(path: path)
        #expect(blocks.format == .gzip)
        #expect(try blocks.next() == nil)
    }

    @Test("give an error with the file's name if the folder is gone")
    func gone() throws {
        let folder = try TemporaryFolder()
        #expect {
            _ = try LogFileWriter(replacing: folder.path("none.jsonl"), format: .text)
        } throws: { error in (error as? LogFileError)?.code == .notFound }
    }
}
