internal import Foundation
internal import Primitives

/// The names in a collector's data folder.
///
/// | name | contents |
/// |---|---|
/// | `lock` | locked by the collector that has the folder open |
/// | `collector` | the collector's id |
/// | `segments/` | the segments by number, such as `0000000001.segment`: the source of truth |
/// | `index.sqlite` | the index, which can be rebuilt from the segments |
/// | `damaged-1/` … | quarantined files, with the reason |
struct StoreFolder: Sendable {
    let path: String

    var lock: String { path + "/lock" }
    var identity: String { path + "/collector" }
    var segments: String { path + "/segments" }
    var index: String { path + "/index.sqlite" }
    var indexFiles: [String] { ["", "-wal", "-shm"].map { index + $0 } }

    static let segmentSuffix = ".segment"
    static let draftSuffix = ".draft"

    func segment(_ number: Int64) -> String {
        let digits = String(number)
        return segments + "/" + String(repeating: "0", count: max(0, 10 - digits.count)) + digits
            + Self.segmentSuffix
    }

    /// The numbers of the existing segments, in order.
    func segmentNumbers() throws -> [Int64] {
        try FileManager.default.contentsOfDirectory(atPath: segments).compactMap { name in
            guard name.hasSuffix(Self.segmentSuffix), let number = Int64(name.dropLast(Self.segmentSuffix.count)),
                number > 0, segment(number) == segments + "/" + name
            else { return nil }
            return number
        }.sorted()
    }

    /// New or rewritten segments that were never renamed, because the collector ended.
    func drafts() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: segments).filter { $0.hasSuffix(Self.draftSuffix) }
            .sorted()
            .map { segments + "/" + $0 }
    }

    /// Moves files to a new folder `damaged-1`, `damaged-2` …, and writes the reason. Deletes nothing.
    ///
    /// - Returns: The new folder.
    /// - Throws: `SystemError` and Foundation's errors.
    @discardableResult
    func quarantine(_ files: [String], reason: String, _ system: any StoreFiles) throws -> String {
        var number = 1
        while mkdir("\(path)/damaged-\(number)", 0o700) != 0 {
            guard errno == EEXIST else { throw SystemError("mkdir", path: "\(path)/damaged-\(number)") }
            number += 1
        }
        let target = "\(path)/damaged-\(number)"
        // The reason first: if the collector ends in between, the files are still in their original location.
        let note = try system.create(target + "/reason.txt")
        defer { system.close(note) }
        try Array((reason + "\n").utf8).withUnsafeBytes {
            try system.writeAll(note, $0, path: target + "/reason.txt")
        }
        for file in files where FileManager.default.fileExists(atPath: file) {
            try system.rename(file, to: target + "/" + URL(fileURLWithPath: file).lastPathComponent)
        }
        try system.syncFolder(target)
        try system.syncFolder(path)
        return target
    }
}
