internal import Foundation
internal import LogFiles

/// File names: a folder's logs are always found in the same order, for any names and any order of creation.
///
/// An input is names separated by line feeds.
package final class LogNamesTarget: FuzzTarget {
    package static let name = "log-names"

    private static let maximumNames = 8
    private static let maximumLength = 80

    private let folder: URL

    package init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)")
    }

    deinit { remove() }

    package func seeds() throws -> [[UInt8]] {
        let names = [
            "events.jsonl", "events.jsonl.1", "events.jsonl.2.gz", "events.jsonl.10", "events.jsonl-20181112",
            "events.jsonl.2018-11-12", "events-0000000000000001.jsonl", "events.ndjson", "events.jsonl.gz",
            "events.jsonl.zst", "a.b.jsonl", ".jsonl", ".hidden.jsonl", "é.jsonl", "e\u{301}.jsonl", "x.jsonl.00001",
            "x.jsonl.0001", "x.jsonl-1234", "x.jsonl-12345", "other.txt", "*.jsonl", "[a].jsonl", "events.sqlite", "a",
        ]
        let pairs = names.indices.map { names[$0] + "\n" + names[($0 + 1) % names.count] }
        return (names + pairs + [names.joined(separator: "\n")]).map { Array($0.utf8) }
    }

    package func run(_ bytes: UnsafeRawBufferPointer) throws {
        let names = Self.names(bytes)
        defer { remove() }
        let found = try files(of: names)
        try require(found == (try files(of: names.reversed())), "the order of files depends on the order of creation")
        for (path, kind) in [(folder.path, "folder"), (folder.path + "/*", "pattern")] {
            // A folder without logs, or with logs of two kinds, is rejected.
            guard let files = try? LogPaths.expand([path]) else { continue }
            try require(Self.areDifferent(files), "a \(kind) has a file twice")
            for file in files {
                try require(FileManager.default.fileExists(atPath: file), "a \(kind) has a file that does not exist")
            }
        }
        for name in names {
            let rotated = LogPaths.rotation(of: folder.path + "/" + name)
            try require(
                Self.areDifferent(rotated) && rotated.contains { $0.utf8.elementsEqual("\(folder.path)/\(name)".utf8) },
                "a file is not among those that it was rotated into")
        }
    }

    /// By their bytes: to the file system, two texts that Unicode calls equivalent are two.
    private static func areDifferent(_ paths: [String]) -> Bool {
        Set(paths.map { Array($0.utf8) }).count == paths.count
    }

    /// The names that a file can have.
    private static func names(_ bytes: UnsafeRawBufferPointer) -> [String] {
        var known: Set<[UInt8]> = []
        let names = bytes.split(separator: UInt8(ascii: "\n")).prefix(maximumNames).map { name in
            String(decoding: name.prefix(maximumLength), as: UTF8.self).filter { $0 != "/" && $0 != "\0" }
        }
        return names.filter { $0 != "" && $0 != "." && $0 != ".." && known.insert(Array($0.utf8)).inserted }
    }

    /// The files that a folder with these names stands for; none if it is refused.
    private func files(of names: [String]) throws -> [[UInt8]] {
        remove()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        for name in names {
            guard FileManager.default.createFile(atPath: folder.path + "/" + name, contents: nil) else {
                throw FuzzIssue("no file can be made")
            }
        }
        let files = (try? LogPaths.expand([folder.path])) ?? []  // refused: no log, or logs of two kinds
        return files.map { Array($0.utf8) }
    }

    private func remove() {
        // What is not there need not go.
        try? FileManager.default.removeItem(at: folder)
    }
}
