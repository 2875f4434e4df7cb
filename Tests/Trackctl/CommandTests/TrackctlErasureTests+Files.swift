import CommandRunner
import Foundation
import Testing

/// Files of lines with other names, compression or permissions.
extension TrackctlErasureTests {
    @Test("A file compressed with zstd is rejected, whatever its name; without the user it is ignored")
    func zstd() async throws {
        let packed = try await zstdPacked(lines(1...9).text)
        let others = try await zstdPacked(others(lines(1...9)).text)
        for name in ["b.jsonl.zst", "c.jsonl"] { _ = try folder.file(name, packed) }
        _ = try folder.file("d.jsonl.zst", others)
        let before = try folder.snapshot()
        for arguments in [["--dry-run"], []] {
            let result = try await trackctl(["prune", folder.path, "--user", Self.user] + arguments)
            #expect(result.exitCode == 1)
            for name in ["b.jsonl.zst", "c.jsonl"] {
                #expect(
                    result.lines.contains(
                        "\(folder(name)): unchanged: compressed with zstd: decompress it, and run this again"))
            }
            #expect(!result.text.contains("d.jsonl.zst"))
            #expect(result.text.contains(arguments.isEmpty ? "removed 0 lines" : "would remove 0 lines"))
            #expect(try folder.snapshot() == before)
        }
    }

    @Test("An unreadable file is named, and does not stop the rest")
    func unreadable() async throws {
        let path = try folder.unreadableFile("x.jsonl")
        _ = try folder.file("b.jsonl", lines(1...9).text)
        #expect(try await erase("--dry-run").lines.contains { $0.hasPrefix("\(path): unchanged: ") })
        let result = try await erase()
        #expect(result.exitCode == 1 && result.lines.contains { $0.hasPrefix("\(path): unchanged: ") })
        #expect(folder.bytes("b.jsonl") == Array(others(lines(1...9)).text.utf8))
    }

    @Test("Files with other rotation names are included")
    func otherNames() async throws {
        let names = ["b.jsonl-20180912", "b.jsonl.2018-09-12", "b.ndjson", "b.ndjson.3", "actions.jsonl.1"]
        for name in names { _ = try folder.file(name, lines(1...9).text) }
        #expect(try await erase().exitCode == 0)
        for name in names { #expect(folder.bytes(name) == Array(others(lines(1...9)).text.utf8)) }
    }
}
