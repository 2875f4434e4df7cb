import Foundation

/// The content of a file: its bytes up to the last nonzero byte, and its length.
struct FileImage {
    /// Relative to the folder of the log.
    let name: String
    var used: [UInt8]
    var length: Int

    init(name: String, path: String) throws {
        self.name = name
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        length = bytes.count
        let zeros = [UInt8](repeating: 0, count: Self.pageBytes)
        var end = bytes.count
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            while end >= zeros.count, memcmp(start + end - zeros.count, zeros, zeros.count) == 0 { end -= zeros.count }
            while end > 0, bytes[end - 1] == 0 { end -= 1 }
        }
        used = Array(bytes[..<end])
    }

    /// All files in a folder at any depth, except SQLite's shared memory, which does not survive a power failure.
    static func all(in folder: String) throws -> [FileImage] {
        guard let names = FileManager.default.enumerator(atPath: folder) else { return [] }
        var images: [FileImage] = []
        for case let name as String in names where !name.hasSuffix("-shm") {
            var isFolder: ObjCBool = false
            let isThere = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
            if isThere, !isFolder.boolValue { images.append(try FileImage(name: name, path: "\(folder)/\(name)")) }
        }
        return images.sorted { $0.name < $1.name }
    }

    func write(to folder: String) throws {
        let url = URL(fileURLWithPath: "\(folder)/\(name)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(used).write(to: url)
        guard truncate(url.path, off_t(length)) == 0 else { throw POSIXError(.EIO) }
    }

    /// Truncates the file.
    mutating func cut(at offset: Int) {
        length = offset
        used = Array(used.prefix(offset))
    }

    /// Flips a bit.
    mutating func flip(bit: Int) {
        grow(to: bit / 8 + 1)
        used[bit / 8] ^= 1 << (bit % 8)
    }

    /// Replaces a page by that of another state of the file.
    mutating func replacePage(_ page: Int, by other: FileImage, page source: Int) {
        let bytes = other.page(source)
        grow(to: min((page + 1) * Self.pageBytes, length))
        for (index, byte) in bytes.enumerated() where page * Self.pageBytes + index < used.count {
            used[page * Self.pageBytes + index] = byte
        }
    }

    static let pageBytes = 4_096

    var pageCount: Int { (length + Self.pageBytes - 1) / Self.pageBytes }

    func page(_ number: Int) -> [UInt8] {
        let start = number * Self.pageBytes
        let bytes = start < used.count ? Array(used[start..<min(start + Self.pageBytes, used.count)]) : []
        return bytes + [UInt8](repeating: 0, count: Self.pageBytes - bytes.count)
    }

    private mutating func grow(to count: Int) {
        if used.count < count { used += [UInt8](repeating: 0, count: count - used.count) }
    }
}
