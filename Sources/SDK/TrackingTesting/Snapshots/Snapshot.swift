internal import Foundation

/// A golden file beside a test's source.
struct Snapshot {
    let url: URL
    var path: String { url.path }
    var name: String { url.lastPathComponent }

    init(name: String, of place: SourcePlace) {
        let source = URL(fileURLWithPath: "\(place.filePath)")
        self.init(
            name: name,
            in: source.deletingLastPathComponent().appendingPathComponent("__Snapshots__")
                .appendingPathComponent(source.deletingPathExtension().lastPathComponent))
    }

    init(name: String, in folder: URL) {
        let kept = name.map { $0.isLetter || $0.isNumber || "-_.".contains($0) ? $0 : "-" }
        url = folder.appendingPathComponent(String(kept) + ".jsonl")
    }

    /// The lines of the file; nil if there is none.
    func lines() throws -> [String]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline).map(String.init)
    }

    func write(_ lines: [String]) throws {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: url, options: .atomic)
    }
}
