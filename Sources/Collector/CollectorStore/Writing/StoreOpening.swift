internal import EventLog
internal import Foundation
internal import GRDB
internal import Primitives

/// Opens a data folder: locks it, reads what an earlier collector left, and catches the index up with the segments.
struct StoreOpening {
    let folder: StoreFolder
    let collector: CollectorID
    let index: StoreIndex
    /// The last segment, and its valid length.
    let last: (number: Int64, trusted: Int64)
    let nextFrame: Int64
    let findings: [StoreFinding]
    let lock: LifeLock

    /// - Throws: ``StoreError``. After an error, nothing was removed.
    init(_ path: String, _ options: BatchStore.Options) throws(StoreError) {
        do { self = try Self.open(StoreFolder(path: path), options) } catch { throw .opening(path, error) }
    }

    private init(
        folder: StoreFolder, collector: CollectorID, index: StoreIndex, last: (number: Int64, trusted: Int64),
        nextFrame: Int64, findings: [StoreFinding], lock: LifeLock
    ) {
        self.folder = folder
        self.collector = collector
        self.index = index
        self.last = last
        self.nextFrame = nextFrame
        self.findings = findings
        self.lock = lock
    }

    private static func open(_ folder: StoreFolder, _ options: BatchStore.Options) throws -> StoreOpening {
        let files = options.files
        try PrivateFile.makeFolder(folder.path)
        try PrivateFile.makeFolder(folder.segments)
        let lock = try lock(folder)
        var findings: [StoreFinding] = []
        // The original segments are still there; a repeated erasure copies them again.
        for draft in try folder.drafts() { try files.remove(draft) }
        let segments = try Segments(folder, files, collector: try identity(folder, files))
        let known = try identity(folder, files) ?? segments.found.last?.header.collector
        var (index, issue) = try openIndex(folder)
        let collector = try known ?? index?.write { try index?.collector() } ?? options.collectorID()
        if let found = try index?.write({ try index?.collector() }), found != collector {
            issue = "it belongs to collector \(found), the segments to \(collector)"
        }
        if try identity(folder, files) == nil { try writeIdentity(collector, in: folder, files: files) }
        findings += setAside(segments)
        for path in segments.unreadable {
            try folder.quarantine([path], reason: "its header is damaged, and it has no intact frame", files)
        }
        if let issue {
            index = try IndexRebuild.exchange(index, in: folder, files: files, collector: collector, reason: issue)
            findings.append(
                StoreFinding(
                    .warning, .rebuiltIndex, subject: folder.index,
                    message: "was damaged and was rebuilt from the segments: \(issue)"))
        }
        guard let index else {
            throw StoreError(.indexFailed, "cannot create \(folder.index); check the folder and its free space")
        }
        let result = try index.write {
            if index.isNew { try index.setCollector(collector) }
            try index.setMeta("clean", 0)
            let result = try IndexRebuild(index, segments).catchUp()
            try removeExpired(segments, index)
            return result
        }
        findings += result.findings
        findings += missing(segments, position: result.position, in: folder)
        let lastNumber = try max(
            segments.found.last?.header.number ?? 0, folder.segmentNumbers().last ?? 0, result.position.segment)
        let trusted =
            segments.found.last?.header.number == lastNumber ? result.intactEnd : Int64(SegmentHeader.length)
        return StoreOpening(
            folder: folder, collector: collector, index: index,
            last: (lastNumber, max(trusted, Int64(SegmentHeader.length))),
            nextFrame: max(result.position.frame + 1, segments.found.last?.header.firstFrame ?? 1),
            findings: findings,
            lock: lock)
    }

    private static func lock(_ folder: StoreFolder) throws -> LifeLock {
        try PrivateFile.makeIfMissing(folder.lock)
        try PrivateFile.tighten([folder.lock])
        switch LifeLock.acquire(folder.lock) {
        case .acquired(let lock): return lock
        case .held:
            throw StoreError(
                .inUse, "\(folder.path) is open in another collector; stop that collector, or use another folder")
        case .failed(let error): throw error
        }
    }

    // MARK: The collector's id

    private static let identityStart = "swift-tracking collector 1\n"

    /// Reads the id in the folder; nil at the first start.
    private static func identity(_ folder: StoreFolder, _ files: any StoreFiles) throws -> CollectorID? {
        let descriptor: CInt
        do { descriptor = try files.openForReading(folder.identity) } catch let error as SystemError
            where error.code == ENOENT
        {
            return nil
        }
        defer { files.close(descriptor) }
        let text = String(
            decoding: try files.read(descriptor, at: 0, count: 256, path: folder.identity), as: UTF8.self)
        guard text.hasPrefix("swift-tracking collector ") else {
            throw StoreError(.foreign, "\(folder.identity) is not a collector's id; use another folder")
        }
        guard text.hasPrefix(identityStart) else {
            throw StoreError(.newerVersion, "\(folder.path) was written by a newer version; update the collector")
        }
        guard let id = CollectorID(text.dropFirst(identityStart.count).prefix(32)) else {
            throw StoreError(
                .damaged,
                "\(folder.identity) is damaged; remove it, and the collector reads the id from the segments")
        }
        return id
    }

    private static func writeIdentity(_ id: CollectorID, in folder: StoreFolder, files: any StoreFiles) throws {
        try files.replace(
            folder.identity, with: Array("\(identityStart)\(id)\n".utf8),
            draft: folder.identity + StoreFolder.draftSuffix)
    }

    // MARK: The index

    /// Opens the index, and checks it for damage unless it was closed cleanly.
    private static func openIndex(_ folder: StoreFolder) throws -> (StoreIndex?, issue: String?) {
        do {
            let index = try StoreIndex(folder)
            let isClean = try index.write { try index.meta("clean") == 1 }
            if !index.isNew, !isClean, let issue = try index.issue() { return (index, issue) }
            return (index, nil)
        } catch  where StoreIndex.isDamage(error) {
            return (nil, "\((error as? DatabaseError)?.message ?? "it is unreadable")")
        }
    }

    /// Removes files of expired segments that the collector ended too early to remove.
    private static func removeExpired(_ segments: Segments, _ index: StoreIndex) throws {
        for segment in segments.found {
            let number = segment.header.number
            let isExpired = try index.connection.first(
                "SELECT 1 FROM expired_segments WHERE number = ?", .int(number)
            ) { _ in true }
            if isExpired == true { try segments.files.remove(segments.folder.segment(number)) }
        }
    }

    // MARK: Findings

    private static func setAside(_ segments: Segments) -> [StoreFinding] {
        segments.unreadable.map {
            StoreFinding(
                .warning, .unreadableSegment, subject: $0,
                message: "has no intact header and no intact frame; it was quarantined")
        }
            + segments.found.filter(\.isSalvaged).map {
                StoreFinding(
                    .warning, .damagedHeader, subject: segments.folder.segment($0.header.number),
                    message: "its header is damaged; its frames were read without the header")
            }
    }

    private static func missing(_ segments: Segments, position: StoreIndex.Position, in folder: StoreFolder)
        -> [StoreFinding]
    {
        guard position.frame > 0 else { return [] }
        let segment = segments.found.first { $0.header.number == position.segment }
        if let segment, segment.trusted >= position.offset { return [] }
        return [
            StoreFinding(
                .loss, .missingSegment, subject: folder.segment(position.segment),
                message: "is missing, or shorter than before; restore it from a backup")
        ]
    }
}
