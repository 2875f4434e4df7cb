#if Collector
    internal import EventLog
    internal import EventModel
    internal import Foundation
    internal import GRDB
    internal import Primitives

    /// What the thread that writes owns: the segment that is written, and the index. For that thread only.
    final class StoreCore {
        let folder: StoreFolder
        let options: BatchStore.Options
        let collector: CollectorID
        var files: any StoreFiles { options.files }
        /// Shared with readers, since a damaged index is exchanged for a new one.
        let shared: SharedIndex
        private(set) var index: StoreIndex
        private var segment: SegmentWriter?
        /// The segment that was written last, and how much of it may be trusted.
        private(set) var last: (number: Int64, trusted: Int64)
        private(set) var nextFrame: Int64
        /// Whether frames are on the disk that are not in the index.
        private var isIndexBehind = false
        /// Whether the index was put aside, and no other could be made yet.
        private var isIndexGone = false
        /// What the index's open transaction has, and the segments have on the disk.
        private var uncommitted: Uncommitted?
        private var buffer = ByteWriter()
        /// The batches of the group that is being decided, by receipt.
        private var pending: [Int64: BatchFrame] = [:]

        /// Frames in the order of their numbers, all of one segment.
        private struct Uncommitted {
            let since = ContinuousClock.now
            let segment: SegmentHeader
            var frames: ClosedRange<Int64>
            /// When the newest of them arrived.
            var newest: Int64
            /// Where the last one ends.
            var end: Int64 = 0
        }

        init(_ opening: StoreOpening, _ options: BatchStore.Options) {
            folder = opening.folder
            self.options = options
            collector = opening.collector
            index = opening.index
            shared = SharedIndex(opening.index.pool)
            last = opening.last
            nextFrame = opening.nextFrame
        }

        // MARK: A group

        /// Decides about submissions in their order, and brings all that they change to the disk with one sync: to the segments, that is.
        /// The index has it from ``settle()`` on.
        ///
        /// - Throws: ``StoreError``; then none of them was accepted.
        func commit(_ group: [PreparedSubmission]) throws(StoreError) -> [SubmissionOutcome] {
            do {
                return try onSoundIndex { try commitOnIndex(group) }
            } catch let error as StoreError {
                throw error
            } catch {
                throw .index(folder.index, error)
            }
        }

        /// Runs `body` where the index may be written; if it turns out to be damaged, once more with a new one.
        func onSoundIndex<Result>(_ body: () throws -> Result) throws -> Result {
            if isIndexGone { try exchangeIndex(reason: "it could not be made again before") }
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

        private func commitOnIndex(_ group: [PreparedSubmission]) throws -> [SubmissionOutcome] {
            try appendUnsettled { segment in
                let judge = Judge(index: index.writer, collector: collector.description, batch: { try self.batch($0) })
                return try group.map { try decide($0, judge, in: segment) }
            }
        }

        /// Runs `body`, which adds frames by ``add(_:at:to:)`` and changes the index, and brings both to the disk: the frames with one
        /// sync, then the index.
        ///
        /// - Throws: Errors of `body` and ``StoreError``; then nothing has changed.
        func append<Result>(_ body: (SegmentWriter) throws -> Result) throws -> Result {
            let result = try appendUnsettled(body)
            settle()
            return result
        }

        /// The same, but the index's transaction stays open: the groups that follow each other under load often change the same pages,
        /// which are written once.
        private func appendUnsettled<Result>(_ body: (SegmentWriter) throws -> Result) throws -> Result {
            let (segment, firstFrame) = (try readySegment(), nextFrame)
            // Ending the segment before may have failed to commit.
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
                // What groups before had in it is on the disk: the index gets it from there.
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

        /// The most frames of an open transaction: its pages stay in memory.
        private static let maximumUncommitted = 2000

        /// Whether the index's transaction is to be committed even while work waits.
        var isSettlingDue: Bool {
            guard let uncommitted else { return false }
            return uncommitted.frames.count >= Self.maximumUncommitted || shared.lag.isWaitedFor
                || ContinuousClock.now - uncommitted.since >= options.maximumIndexLag
        }

        /// Commits what the index's transaction holds.
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
                // The frames are on the disk, which is what counts: the index gets them from there.
                forgetTransaction()
                isIndexBehind = true
            }
        }

        /// Brings the index to where the segments are, if a group that failed has set it back: nobody may come after it for long, and
        /// what was acknowledged before is to be found.
        func recover() {
            guard isIndexBehind else { return }
            try? onSoundIndex {}  // if it fails, the next group begins with it
        }

        /// Adds a frame to what ``append(_:)`` writes.
        ///
        /// - Parameter time: When it arrived, for retention.
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

        private func decide(_ prepared: PreparedSubmission, _ judge: Judge, in segment: SegmentWriter) throws
            -> SubmissionOutcome
        {
            let now = prepared.submission.receivedAt.microseconds
            switch try judge.verdict(on: prepared) {
            case .store(var frame, let hashes, let install):
                let (install, missing) = try index.writer.applyFacts(of: frame, install)
                (frame.missing, frame.highest) = (missing, install.highest)
                let (number, location) = add(.batch(frame), at: now, to: segment)
                try index.writer.applyContent(
                    of: frame, install: install.id, number: number, at: location, hashes: hashes)
                pending[number] = frame
                return .accepted(frame.receipt(collector: collector.description, number: number), isRepeat: false)
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

        /// An accepted batch, of this group or from its segment.
        private func batch(_ receipt: Int64) throws -> BatchFrame {
            if let frame = pending[receipt] { return frame }
            let location = try index.connection.first(
                "SELECT segment, offset, length FROM batches WHERE receipt = ?", .int(receipt)
            ) { FrameLocation(segment: $0.int(0), offset: $0.int(1), length: Int($0.int(2))) }
            guard let location else { throw StoreError(.damaged, "receipt \(receipt) is not in the index") }
            return try FrameReader(folder, files).batch(receipt, at: location)
        }

        // MARK: Segments

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
                // Its number is not used again: the file may be there, and may not go away.
                last = (header.number, Int64(SegmentHeader.length))
                let path = folder.segment(header.number)
                // A draft that stays is removed at the next opening; a segment that stays has no frame.
                for left in [path + StoreFolder.draftSuffix, path] { try? files.remove(left) }
                throw StoreError.writing(path, error)
            }
        }

        /// Ends the segment that is written: what follows goes into a new one.
        func retireSegment() {
            guard let old = segment else { return }
            settle()
            last = (old.header.number, old.syncedLength)
            segment = nil
        }

        /// How much of the segment that is written is on the disk; nil if there is none.
        var written: (number: Int64, length: Int64)? { segment.map { ($0.header.number, $0.syncedLength) } }

        // MARK: The index

        private func catchUp() throws {
            let segments = try Segments(folder, files, collector: collector)
            _ = try IndexRebuild(index, segments, before: nextFrame).catchUp()
            isIndexBehind = false
        }

        /// Puts a damaged index aside, and makes a new one of the segments.
        private func exchangeIndex(reason: String) throws {
            isIndexGone = true
            index = try IndexRebuild.exchange(index, folder, files, collector, reason: reason, before: nextFrame)
            isIndexGone = false
            shared.pool.withLock { $0 = index.pool }
            isIndexBehind = false
        }

        /// Ends all writing. A folder that was closed is not checked at the next opening.
        func close() {
            settle()
            retireSegment()
            // Without the mark the next opening only takes longer.
            try? index.write {
                if !isIndexBehind { try index.setMeta("clean", 1) }
            }
            try? index.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
            try? index.close()  // a reader may be at work; the last one closes it
        }
    }

    /// Whether the index lacks what the segments have, so that a reader has to wait for a commit. Safe from any thread.
    final class IndexLag: @unchecked Sendable {  // `condition` guards everything that changes
        private let condition = NSCondition()
        private var isBehind = false
        private var waiting = 0
        /// A disk that hangs must not stop readers, too: they get what is there.
        private static let patience = 5.0

        func begin() {
            condition.lock()
            isBehind = true
            condition.unlock()
        }

        func end() {
            condition.lock()
            isBehind = false
            condition.broadcast()
            condition.unlock()
        }

        /// Whether a reader waits for the commit.
        var isWaitedFor: Bool {
            condition.lock()
            defer { condition.unlock() }
            return waiting > 0
        }

        /// Waits until the thread that writes has committed what is acknowledged by now; that is after its present group. At most five
        /// seconds. Not for that thread itself while it is behind.
        func wait() {
            condition.lock()
            defer { condition.unlock() }
            guard isBehind else { return }
            waiting += 1
            defer { waiting -= 1 }
            let end = Date(timeIntervalSinceNow: Self.patience)
            while isBehind, condition.wait(until: end) {}
        }
    }

    /// The index as readers find it.
    final class SharedIndex: Sendable {
        let pool: Locked<DatabasePool>
        let swap = SegmentSwap()
        let lag = IndexLag()

        init(_ pool: DatabasePool) { self.pool = Locked(pool) }

        /// Runs `body` on a consistent state of the index that has everything acknowledged before the call.
        func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
            lag.wait()
            return try pool.withLock { $0 }.read(body)
        }
    }
#endif
