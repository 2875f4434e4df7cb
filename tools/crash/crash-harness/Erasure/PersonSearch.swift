import CrashSupport
import Foundation
import LogFiles

/// The users and markers whose text is in files: in the bytes as they are, and in decompressed files.
struct PersonSearch {
    /// The files that have a text, by user.
    private(set) var people: [Person: Set<String>] = [:]
    /// The files that have a complete marker.
    private(set) var markers: [PersonMarker: Set<String>] = [:]
    private(set) var files = 0
    private(set) var bytes = 0

    /// Searches the files of folders. A marker at the boundary of two pages of a database is not found.
    ///
    /// - Parameter isIncluded: Whether a file is searched, by its path in its folder.
    /// - Throws: `LogFileError` for a damaged compressed file.
    init(_ folders: [String], where isIncluded: (String) -> Bool = { _ in true }) throws {
        for folder in folders {
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                guard isIncluded(name) else { continue }
                var isFolder: ObjCBool = false
                let path = "\(folder)/\(name)"
                guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                    continue
                }
                files += 1
                // A file that is removed meanwhile has nothing.
                if let contents = FileManager.default.contents(atPath: path) { search([UInt8](contents), path) }
                if [".zst", ".gz"].contains(where: path.hasSuffix) { search(try Self.decompressed(path), path) }
            }
        }
    }

    static func decompressed(_ path: String) throws -> [UInt8] {
        let blocks = try LogFileBlocks(path: path)
        var text: [UInt8] = []
        while let block = try blocks.next() { text += block }
        return text
    }

    private mutating func search(_ contents: [UInt8], _ path: String) {
        bytes += contents.count
        let prefix = Array(Person.prefix.utf8)
        contents.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            var offset = 0
            // In C, because the build of the tests is slow.
            while let found = memchr(base + offset, CInt(prefix[0]), buffer.count - offset) {
                let start = base.distance(to: UnsafeRawPointer(found))
                offset = start + 1
                guard start + prefix.count <= buffer.count, memcmp(found, prefix, prefix.count) == 0 else { continue }
                var end = start + prefix.count
                while end < buffer.count, end < start + 80, Self.isPart(buffer[end]) { end += 1 }
                note(String(decoding: buffer[start..<end], as: UTF8.self), path)
            }
        }
    }

    private static func isPart(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private mutating func note(_ text: String, _ path: String) {
        if let marker = PersonMarker(text) { markers[marker, default: []].insert(path) }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).prefix(3)
        if let person = Person(parts.joined(separator: "-")) { people[person, default: []].insert(path) }
    }
}
