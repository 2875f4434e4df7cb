internal import Foundation

/// The identity of a file, independent of its path.
struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64
    /// In bytes.
    let length: Int64
    let isRegularFile: Bool
    /// The time of the last change of the content, in nanoseconds since 1970. Renaming does not change it.
    let modified: Int64

    /// The file at a path; nil if there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The file of an open descriptor.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
        length = Int64(status.st_size)
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Whether two paths refer to the same file, even if it does not exist yet.
    static func isSame(_ left: String, _ right: String) -> Bool {
        switch (FileIdentity(path: left), FileIdentity(path: right)) {
        case (let left?, let right?): return left == right
        case (nil, nil):
            let left = URL(fileURLWithPath: left)
            let right = URL(fileURLWithPath: right)
            guard left.lastPathComponent == right.lastPathComponent else { return false }
            let folder = FileIdentity(path: left.deletingLastPathComponent().path)
            return folder != nil && folder == FileIdentity(path: right.deletingLastPathComponent().path)
        default: return false
        }
    }

    static func == (left: Self, right: Self) -> Bool { left.device == right.device && left.number == right.number }

    func hash(into hasher: inout Hasher) {
        hasher.combine(device)
        hasher.combine(number)
    }
}
