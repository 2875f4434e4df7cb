internal import DeliveryProtocol
internal import EventModel
internal import GRDB
internal import Primitives

/// The state of the writer thread: the current segment and the index. For that thread only.
final class StoreCore {
    let folder: StoreFolder
    let options: BatchStore.Options
    let collector: CollectorID
    var files: any StoreFiles { options.files }
    /// Shared with readers, because a damaged index is replaced.
    let shared: SharedIndex
    private(set) var index: StoreIndex
    private var segment: SegmentWriter?
    /// The last segment, and its valid length.
    private(set) var last: (number: Int64, trusted: Int64)
    private(set) var nextFrame: Int64
    /// Whether frames are on the disk that are not in the index.
    private var isIndexBehind = false
    /// Whether the index was quarantined and could not be rebuilt yet.
    private var isIndexGone = false
    /// Frames that are on the disk, and in the index's open transaction.
    private var uncommitted: Uncommitted?
    private var buffer = ByteWriter()
    private var groupsWithSavepoints = 0
    /// Both clocks at the opening.
    private let opened: (time: EventTime, uptime: ContinuousClock.Instant)
    /// The batches of the current group, by receipt.
    private var pending: [Int64: BatchFrame] = [:]

    /// Consecutive frames in the order of their numbers, all of one segment.
    private struct Uncommitted {
        let since = ContinuousClock.now
        let segment: SegmentHeader
        var frames: ClosedRange<Int64>
        /// The time at which the newest frame was received.
        var newest: Int64
        /// The end of the last frame.
        var end: Int64 = 0
    }

    init(_ opening: StoreOpening, _ options: BatchStore.Options) {
        folder = opening.folder
        self.options = options
        collector = opening.collector
        index = opening.index
        shared = SharedIndex(opening.index.readers)
        opened = (options.now(), options.uptime())
        last = opening.last
        nextFrame = opening.nextFrame
    }

    /// The time for retention: if the wall clock is set ahead, the time since the opening counts, and nothing expires early.
    var steadyTime: EventTime {
        let latest = opened.time.advanced(by: opened.uptime.duration(to: options.uptime()) + .seconds(3600))
        return min(options.now(), latest)
    }

    /// Decides about submissions in order, and writes all changes to the segments with one sync. ``settle()``
    /// commits the index later.
    ///
    /// - Returns: The outcome of each submission, at least of the first; the rest has to wait for the next group. The
    ///   error of one does not affect the others.
    /// - Throws: ``StoreError``; then none of the submissions was accepted.
    func commit(_ group: [SubmissionQueue.Request]) throws(StoreError) -> [Result<SubmissionOutcome, StoreError>] {
        do {
            groupsWithSavepoints = max(0, groupsWithSavepoints - 1)
            do { return try onSoundIndex { try commitOnIndex(group) } } catch is UnexpectedError {
                // Its batch may be sent again and again.
                groupsWithSavepoints = Self.cautiousGroups
                return try onSoundIndex { try commitOnIndex(group) }
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw .index(folder.index, error)
        }
    }

    /// The error of a submission that changed the index without a savepoint: the transaction is rolled back, and the group
    /// decided again.
    private struct UnexpectedError: Error {}

    /// The number of groups after an unexpected error in which each submission has a savepoint.
    private static let cautiousGroups = 1_000

    /// Runs `body`, which writes to the index. If the index turns out to be damaged, runs it again with a rebuilt
    /// index.
    func onSoundIndex<Result>(_ body: () throws -> Result) throws -> Result {
        if isIndexGone { try exchangeIndex(reason: "an earlier attempt to rebuild it failed") }
        do {
            return try index.write {
                if isIndexBehind { try catchUp() }
                return try body()
            }
        } catch  where StoreIndex.isDamage(error) {
            try exchangeIndex(reason: "\(error)")
            return try index.write(body)
        }
    }

    private func commitOnIndex(_ group: [SubmissionQueue.Request]) throws -> [Result<SubmissionOutcome, StoreError>] {
        try appendUnsettled { segment in
            let judge = judge()
            let end = ContinuousClock.now + options.maximumGroupTime
            var outcomes: [Result<SubmissionOutcome, StoreError>] = []
            for request in group {
                guard outcomes.isEmpty || ContinuousClock.now < end else { break }
                switch request {
                case .batch(let prepared) where prepared.submission.header == nil:  // an import, by an admin
                    outcomes.append(
                        try separately { try apply(judge.verdict(on: prepared), to: prepared, judge, in: segment) })
                case .batch(let prepared):
                    outcomes.append(try index.writer.limitingRows { try decide(prepared, judge, in: segment) })
                case .messages(let messages):
                    outcomes.append(try separately { try decide(messages, judge, in: segment) })
                }
            }
            return outcomes
        }
    }

    /// Decides about a client's batch. A savepoint copies each page of the index that is changed after it, so only batches
    /// whose changes may exceed the limit of rows have one.
    ///
    /// - Throws: `UnexpectedError`, and errors that concern all submissions.
    private func decide(_ prepared: PreparedSubmission, _ judge: Judge, in segment: SegmentWriter) throws
        -> Result<SubmissionOutcome, StoreError>
    {
        let verdict: Judge.Verdict
        // A verdict changes nothing.
        do { verdict = try judge.verdict(on: prepared) } catch  where index.connection.isOwn(error) {
            return .failure(.index(folder.index, error))
        }
        guard groupsWithSavepoints == 0, let rows = prepared.submission.maximumRows, rows <= index.writer.rowsLeft
        else {
            return try separately { try apply(verdict, to: prepared, judge, in: segment) }
        }
        do { return .success(try apply(verdict, to: prepared, judge, in: segment)) } catch
            where index.connection.isOwn(error)
        {
            throw UnexpectedError()
        }
    }

    /// Runs `body`, which decides about one submission. If it fails, its frames and changes of the index are removed.
    ///
    /// - Throws: Errors that concern all submissions: the index is damaged, or its transaction was rolled back.
    private func separately<Outcome>(_ body: () throws -> Outcome) throws -> Result<Outcome, StoreError> {
        let before = (length: buffer.count, frame: nextFrame, uncommitted: uncommitted)
        return try index.connection.separately(body).mapError { error in
            buffer.truncate(to: before.length)
            (nextFrame, uncommitted) = (before.frame, before.uncommitted)
            index.writer.forget()
            return .index(folder.index, error)
        }
    }

    func judge() -> Judge {
        Judge(index: index.writer, collector: collector.description, batch: { try self.batch($0) })
    }

    /// Runs `body`, which adds frames with ``add(_:at:to:)`` and changes the index; then syncs the frames and
    /// commits the index.
    ///
    /// - Throws: Errors of `body` and ``StoreError``; then nothing has changed.
    func append<Result>(_ body: (SegmentWriter) throws -> Result) throws -> Result {
        let result = try appendUnsettled(body)
        settle()
        return result
    }

    /// Runs `body` like ``append(_:)``, but leaves the index's transaction open: consecutive groups under load
    /// often change the same pages, which are then written once.
    private func appendUnsettled<Result>(_ body: (SegmentWriter) throws -> Result) throws -> Result {
        let segment = try readySegment()
        let firstFrame = nextFrame
        // Closing the previous segment may have failed to commit.
        if isIndexBehind { try catchUp() }
        let before = uncommitted
        buffer.removeAll()
        pending.removeAll(keepingCapacity: true)
        do {
            if before == nil { try index.connection.begin() }
            let result = try body(segment)
            if buffer.count > 0 {
                uncommitted?.end = segment.syncedLength + Int64(buffer.count)
                do { try segment.append(buffer.bytes) } catch {
                    forgetTransaction()
                    retireSegment()
                    throw StoreError.writing(segment.path, error)
                }
            }
            if uncommitted == nil { index.connection.rollback() } else { shared.lag.begin() }
            return result
        } catch {
            forgetTransaction()
            // Frames of earlier groups in the transaction are on the disk: the index reads them from there.
            if before != nil { isIndexBehind = true }
            nextFrame = firstFrame
            throw error
        }
    }

    private func forgetTransaction() {
        index.connection.rollback()
        index.writer.forget()
        uncommitted = nil
        shared.lag.end()
    }

    /// The maximum number of frames in an open transaction, whose pages stay in memory.
    private static let maximumUncommitted = 2000

    /// Whether acknowledged frames are in the index's open transaction.
    var isUnsettled: Bool { uncommitted != nil }

    /// Whether to commit the index's transaction even while batches follow each other.
    var isSettlingDue: Bool {
        guard let uncommitted else { return false }
        return uncommitted.frames.count >= Self.maximumUncommitted || shared.lag.isWaitedFor
            || ContinuousClock.now - uncommitted.since >= options.maximumIndexLag
    }

    /// Commits the index's transaction.
    func settle() {
        guard let uncommitted else { return }
        do {
            try index.write {
                try index.note(uncommitted.segment, frames: uncommitted.frames, newest: uncommitted.newest)
                try index.setPosition(
                    .init(
                        segment: uncommitted.segment.number, offset: uncommitted.end,
                        frame: uncommitted.frames.upperBound))
                try index.connection.commit()
            }
            self.uncommitted = nil
            shared.lag.end()
        } catch {
            // The frames are safe on the disk: the index reads them from there.
            forgetTransaction()
            isIndexBehind = true
        }
    }

    /// Catches the index up with the segments after a failed group. The next submission may come late, and
    /// acknowledged lines must be readable before it.
    func recover() {
        guard isIndexBehind else { return }
        try? onSoundIndex {}  // if it fails, the next group tries again
    }

    /// Adds a frame to the current ``append(_:)``.
    ///
    /// - Parameter time: The time at which it was received, for retention.
    func add(_ content: FrameContent, at time: Int64, to segment: SegmentWriter) -> (
        number: Int64, location: FrameLocation
    ) {
        let number = nextFrame
        let location = buffer.frame(number: number, marker: segment.header.marker, kind: content.kind) {
            content.write(to: &$0)
        }
        nextFrame += 1
        if let known = uncommitted {
            uncommitted?.frames = known.frames.lowerBound...number
            uncommitted?.newest = max(known.newest, time)
        } else {
            uncommitted = Uncommitted(segment: segment.header, frames: number...number, newest: time)
        }
        return (
            number,
            FrameLocation(
                segment: segment.header.number, offset: segment.syncedLength + Int64(location.offset),
                length: location.length)
        )
    }

    private func apply(
        _ verdict: Judge.Verdict, to prepared: PreparedSubmission, _ judge: Judge, in segment: SegmentWriter
    ) throws -> SubmissionOutcome {
        let now = prepared.submission.receivedAt.microseconds
        switch verdict {
        case .store(let frame, let hashes, let install):
            return try store(frame, hashes: hashes, install: install, in: segment)
        case .again(let receipt, let news):
            if let news {
                _ = add(.ledger(news), at: now, to: segment)
                try index.writer.apply(news)
            }
            return .accepted(receipt, isRepeat: true)
        case .refuse(let outcome, let fork):
            if let fork {
                let (number, _) = add(.fork(fork), at: now, to: segment)
                try index.writer.apply(fork, number: number)
            }
            return outcome
        }
    }

    private func store(
        _ frame: BatchFrame, hashes: [UInt8], install: IndexWriter.Install?, in segment: SegmentWriter
    ) throws -> SubmissionOutcome {
        var frame = frame
        let (install, missing) = try index.writer.applyFacts(of: frame, install)
        frame.missing = options.requestsMissing ? missing : []
        frame.highest = install.highest
        let (number, location) = add(.batch(frame), at: frame.receivedAt, to: segment)
        try index.writer.applyContent(of: frame, install: install.id, number: number, at: location, hashes: hashes)
        pending[number] = frame
        return .accepted(frame.receipt(collector: collector.description, number: number), isRepeat: false)
    }

    /// Numbers the messages that are new, and stores them. If all are known, nothing is written.
    private func decide(_ messages: ClientMessages, _ judge: Judge, in segment: SegmentWriter) throws
        -> SubmissionOutcome
    {
        let install = try index.writer.install(messages.installID)
        let cutoff = messages.receivedAt.advanced(by: .zero - ClientMessages.memory).microseconds
        try index.writer.forgetMessages(before: cutoff)
        let last = try install.map { try index.writer.lastNumber(of: $0, before: messages.messages.count) } ?? 0
        let numbered = try messages.numbered(after: last) { key in
            try install.flatMap { try index.writer.seq(ofMessage: key, install: $0.id, since: cutoff) }
        }
        guard let new = numbered.new else {
            return .accepted(
                Receipt(
                    name: ReceiptName(collector: collector.description, number: 0), installID: messages.installID,
                    batchID: nil, stored: numbered.duplicates, duplicates: numbered.duplicates,
                    highest: install?.highest ?? 0), isRepeat: true)
        }
        let prepared = try PreparedSubmission(new.submission)
        var frame = judge.frame(of: prepared, storing: prepared.seqs)
        frame.seqs = new.seqs
        frame.duplicates = numbered.duplicates
        frame.messages = new.keys
        return try store(frame, hashes: prepared.hashes, install: install, in: segment)
    }

    /// An accepted batch, from this group or from its segment.
    func batch(_ receipt: Int64) throws -> BatchFrame {
        if let frame = pending[receipt] { return frame }
        let location = try index.connection.first(
            "SELECT segment, offset, length FROM batches WHERE receipt = ?", .int(receipt)
        ) { FrameLocation(segment: $0.int(0), offset: $0.int(1), length: Int($0.int(2))) }
        guard let location else {
            throw StoreError(.damaged, "receipt \(receipt) is not in the index; run 'collector doctor'")
        }
        return try FrameReader(folder, files).batch(receipt, at: location)
    }

    private func readySegment() throws -> SegmentWriter {
        if let segment, segment.syncedLength < options.segmentBytes { return segment }
        retireSegment()
        var generator = SystemRandomNumberGenerator()
        let header = SegmentHeader(
            number: last.number + 1, collector: collector, marker: .random(in: 1...(.max), using: &generator),
            firstFrame: nextFrame, trustedBefore: last.trusted, createdAt: options.now().microseconds)
        do {
            let new = try SegmentWriter(header, in: folder, files)
            segment = new
            return new
        } catch {
            // Do not use the number again: the file may exist, and removing it may fail.
            last = (header.number, Int64(SegmentHeader.length))
            let path = folder.segment(header.number)
            // The next opening removes a remaining draft; a remaining segment has no frames.
            for left in [path + StoreFolder.draftSuffix, path] { try? files.remove(left) }
            throw StoreError.writing(path, error)
        }
    }

    /// Closes the current segment; later frames go to a new one.
    func retireSegment() {
        guard let old = segment else { return }
        settle()
        last = (old.header.number, old.syncedLength)
        segment = nil
    }

    /// The current segment, and its synced length; nil if there is none.
    var written: (number: Int64, length: Int64)? { segment.map { ($0.header.number, $0.syncedLength) } }

    private func catchUp() throws {
        let segments = try Segments(folder, files, collector: collector)
        _ = try IndexRebuild(index, segments, before: nextFrame).catchUp()
        isIndexBehind = false
    }

    /// Quarantines a damaged index, and rebuilds it from the segments.
    func exchangeIndex(reason: String) throws {
        isIndexGone = true
        index = try IndexRebuild.exchange(
            index, in: folder, files: files, collector: collector, reason: reason, before: nextFrame)
        isIndexGone = false
        shared.readers.withLock { $0 = index.readers }
        isIndexBehind = false
    }

    /// Ends all writing. A cleanly closed index is not checked at the next opening.
    func close() {
        settle()
        retireSegment()
        // Without the mark, the next opening only takes longer.
        try? index.write {
            if !isIndexBehind { try index.setMeta("clean", 1) }
        }
        // Without the checkpoint, the index keeps its write-ahead log, which the next opening reads.
        try? index.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        try? index.close()  // An open connection has nothing to save; it is closed with the store.
    }
}
