import CommandRunner
import Foundation
import Testing

/// Files of lines that are named, packed or closed in other ways.
extension TrackctlErasureTests {
    @Test("A file that is packed with zstd is refused, whatever its name; without the user it is no matter")
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

    @Test("A file that cannot be read is named, and keeps nothing else from going")
    func unreadable() async throws {
        let path = try folder.unreadableFile("x.jsonl")
        _ = try folder.file("b.jsonl", lines(1...9).text)
        #expect(try await erase("--dry-run").lines.contains { $0.hasPrefix("\(path): unchanged: ") })
        let result = try await erase()
        #expect(result.exitCode == 1 && result.lines.contains { $0.hasPrefix("\(path): unchanged: ") })
        #expect(folder.bytes("b.jsonl") == Array(others(lines(1...9)).text.utf8))
    }

    @Test("Files of other names of rotation are gone through as well")
    func otherNames() async throws {
        let names = ["b.jsonl-20180912", "b.jsonl.2018-09-12", "b.ndjson", "b.ndjson.3", "actions.jsonl.1"]
        for name in names { _ = try folder.file(name, lines(1...9).text) }
        #expect(try await erase().exitCode == 0)
        for name in names { #expect(folder.bytes(name) == Array(others(lines(1...9)).text.utf8)) }
    }
}
