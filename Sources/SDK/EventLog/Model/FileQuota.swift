package import EventModel
internal import Foundation

/// Limits for files that the SDK never reads again: quarantined files of a log, and finished files of a sink. The
/// oldest are removed first, and counted.
public struct FileQuota: Hashable, Sendable {
    /// The maximum bytes to keep; nil for no limit. The newest file, or quarantine folder, stays even if it is larger.
    public var maximumBytes: Int64?
    /// How long to keep a file after its last write; nil for no limit. Files stay for at least one minute, even if the
    /// clock changes.
    public var maximumAge: Duration?

    /// Makes a quota.
    public init(maximumBytes: Int64? = nil, maximumAge: Duration? = nil) {
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
    }

    /// 256 MiB and 90 days, the default for quarantined files.
    public static let damagedFiles = FileQuota(maximumBytes: 256 << 20, maximumAge: .seconds(90 * 86_400))

    /// 1 GiB and 90 days, the default for the files of a sink.
    public static let finishedFiles = FileQuota(maximumBytes: 1 << 30, maximumAge: .seconds(90 * 86_400))

    /// Keeps everything.
    public static let keepAll = FileQuota()
}

/// A file, or a folder of files, that counts toward a quota.
package struct QuotaEntry: Hashable, Sendable {
    package let path: String
    package let bytes: Int64
    /// When it was last written.
    package let written: EventTime

    package init(path: String, bytes: Int64, written: EventTime) {
        self.path = path
        self.bytes = bytes
        self.written = written
    }

    /// Reads a file's size and time, without following a link; nil if there is no such file.
    package init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        self.init(
            path: path, bytes: Int64(status.st_size),
            written: EventTime(seconds: Int64(time.tv_sec)).advanced(by: .nanoseconds(Int64(time.tv_nsec))))
    }
}

/// How many files a quota has removed.
package struct RemovedFiles: Hashable, Sendable {
    package var count: Int64
    package var bytes: Int64

    package init(count: Int64 = 0, bytes: Int64 = 0) {
        self.count = count
        self.bytes = bytes
    }

    package static func += (left: inout Self, right: Self) {
        left.count += right.count
        left.bytes += right.bytes
    }
}

extension FileQuota {
    /// The entries to remove, oldest first.
    package func excess(of entries: [QuotaEntry], now: EventTime) -> [QuotaEntry] {
        let newestFirst = entries.sorted { ($0.written, $0.path) > ($1.written, $1.path) }
        let limit = maximumAge.map { max($0, .seconds(60)) }
        var bytes: Int64 = 0
        var isOver = false
        var excess: [QuotaEntry] = []
        for (index, entry) in newestFirst.enumerated() {
            bytes += entry.bytes
            if let maximumBytes, index > 0, bytes > maximumBytes { isOver = true }
            let isOld = limit.map { now.duration(since: entry.written) > $0 } ?? false
            if isOver || isOld { excess.append(entry) }
        }
        return excess.reversed()
    }
}
