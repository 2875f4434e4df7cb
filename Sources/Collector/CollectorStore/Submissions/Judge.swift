internal import DeliveryProtocol
internal import EventModel
internal import Primitives

/// Decides about submissions. Only one thread uses it, and applies each decision to the index before the next:
/// submissions of one group see each other, and the same submissions in the same order get the same verdicts.
struct Judge {
    let index: IndexWriter
    let collector: String
    /// Reads an accepted batch, which may not be on the disk yet.
    let batch: (_ receipt: Int64) throws -> BatchFrame

    /// What to do with a submission.
    enum Verdict {
        /// Store this frame. Its `missing` and `highest` are not known yet. The install is passed if its row
        /// exists.
        case store(BatchFrame, hashes: [UInt8], IndexWriter.Install?)
        /// Return the original receipt; first store the new ledger rows, if any.
        case again(Receipt, news: LedgerFrame?)
        case refuse(SubmissionOutcome, fork: ForkFrame?)
    }

    func verdict(on prepared: PreparedSubmission) throws -> Verdict {
        guard let install = try index.install(prepared.submission.installID) else {
            if prepared.submission.isForkedElsewhere {
                return .refuse(Self.fork(of: prepared, known: []), fork: nil)
            }
            return .store(frame(of: prepared, storing: prepared.seqs), hashes: prepared.hashes, nil)
        }
        let erasedUsers = try erasedUsers(of: install.id, named: prepared.submission.installID)
        if !install.secretHash.isEmpty, let header = prepared.submission.header {
            guard LineDigest.isEqual(install.secretHash, prepared.secretHash) else {
                return .refuse(.installTaken, fork: nil)
            }
            if let verdict = try repeated(prepared, header, install.id, erasedUsers) { return verdict }
            if mayAddRanges(prepared, after: install.completeTo), try index.hasTooManyRanges(install.id) {
                return .refuse(.tooManyRanges, fork: nil)
            }
        }
        let found = try compare(prepared, install, erasedUsers)
        // An imported install has no secret: only one of its lines proves that a client is the install.
        if install.secretHash.isEmpty, prepared.submission.header != nil, install.highest > 0, found.duplicates.isEmpty
        {
            return .refuse(.installTaken, fork: nil)
        }
        // After an erasure, erased numbers are settled, too: the new generation must not have copies of their lines.
        let settled = NumberRanges.union(
            found.duplicates.ranges + (erasedUsers == nil ? [] : found.erased.ranges))
        if !found.forked.isEmpty {
            let (acknowledged, forked) = (settled, found.forked.ranges)
            let fork = ForkFrame(
                receivedAt: prepared.submission.receivedAt.microseconds, installID: prepared.submission.installID,
                key: prepared.key, acknowledged: acknowledged, forked: forked)
            return .refuse(
                .fork(acknowledged: acknowledged, forked: forked), fork: try index.isNews(fork) ? fork : nil)
        }
        if prepared.submission.isForkedElsewhere {
            return .refuse(Self.fork(of: prepared, known: settled), fork: nil)
        }
        let known = NumberRanges.union(found.duplicates.ranges + found.unverified.ranges + found.erased.ranges)
        let new = NumberRanges.difference(prepared.seqs, known)
        var frame = frame(of: prepared, storing: new)
        frame.duplicates = found.duplicates.ranges
        frame.unverified = found.unverified.ranges
        frame.erased = found.erased.ranges
        frame.absent += found.optedOut.ranges.map { .init($0, .optedOut) }
        if let erasedUsers { try frame.dropRejects(of: erasedUsers) }
        return .store(
            frame, hashes: known.isEmpty ? prepared.hashes : Self.hashes(of: prepared, in: new), install)
    }

    /// Whether a batch has more than consecutive lines after the numbers that are known.
    private func mayAddRanges(_ prepared: PreparedSubmission, after known: Int64) -> Bool {
        let submission = prepared.submission
        guard let header = submission.header, header.missing.isEmpty, header.ledger.isEmpty,
            submission.rejected.isEmpty, prepared.seqs.count <= 1
        else { return true }
        return header.seqs.lowerBound > known + 1
    }

    /// The answer to a batch of an install that another device uses, too.
    private static func fork(of prepared: PreparedSubmission, known: [ClosedRange<Int64>]) -> SubmissionOutcome {
        .fork(acknowledged: known, forked: NumberRanges.difference(prepared.seqs, known))
    }

    /// The verdict on a batch whose id is known; nil if it is unknown.
    private func repeated(
        _ prepared: PreparedSubmission, _ header: BatchHeader, _ install: Int64, _ erasedUsers: ErasedUsers?
    ) throws -> Verdict? {
        let known = try index.connection.first(
            "SELECT receipt, digest FROM batches WHERE install = ? AND key = ?", .int(install), .blob(prepared.key)
        ) { ($0.int(0), $0.blob(1)) }
        guard let (number, digest) = known else { return nil }
        guard LineDigest.isEqual(digest, prepared.digest) else { return .refuse(.keyReused, fork: nil) }
        let news = try index.news(in: header.ledger, of: install)
        var receipt = try batch(number).receipt(collector: collector, number: number)
        if erasedUsers != nil { try takeErased(from: &receipt, of: install) }
        return .again(
            receipt,
            news: news.isEmpty
                ? nil
                : LedgerFrame(
                    receivedAt: prepared.submission.receivedAt.microseconds, installID: header.installID,
                    ledger: news))
    }

    /// Moves numbers from stored to erased that were erased since the receipt, and whose lines are not removed yet.
    private func takeErased(from receipt: inout Receipt, of install: Int64) throws {
        // Not the numbers between the ranges, of which there may be any number.
        let fates = try receipt.stored.flatMap { try index.numbers(install, in: $0) }
        let erased = NumberRanges.union(fates.filter { $0.fate == .erased }.map(\.seqs))
        let gone = NumberRanges.common(receipt.stored, erased)
        guard !gone.isEmpty else { return }
        receipt.stored = NumberRanges.difference(receipt.stored, gone)
        receipt.duplicates = NumberRanges.difference(receipt.duplicates, gone)
        receipt.unverified = NumberRanges.difference(receipt.unverified, gone)
        receipt.erased = NumberRanges.union(receipt.erased + gone)
    }

    // MARK: Lines

    /// The numbers of lines, classified. New numbers are in none of the lists.
    private struct Comparison {
        var duplicates = Numbers()
        var unverified = Numbers()
        var erased = Numbers()
        /// Those of ``erased`` whose user has opted out, and was not erased.
        var optedOut = Numbers()
        var forked = Numbers()

        mutating func add(_ seq: Int64, _ verdict: LineVerdict) {
            switch verdict {
            case .new: break
            case .duplicate: duplicates.add(seq)
            case .unverified: unverified.add(seq)
            case .forked: forked.add(seq)
            case .erased: erased.add(seq)
            case .optedOut:
                erased.add(seq)
                optedOut.add(seq)
            }
        }
    }

    private enum LineVerdict { case new, duplicate, unverified, forked, erased, optedOut }

    /// Numbers added in ascending order.
    private struct Numbers {
        var ranges: [ClosedRange<Int64>] = []
        var isEmpty: Bool { ranges.isEmpty }

        mutating func add(_ number: Int64) {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
    }

    /// - Parameter erasedUsers: From ``erasedUsers(of:named:)``.
    private func compare(
        _ prepared: PreparedSubmission, _ known: IndexWriter.Install, _ erasedUsers: ErasedUsers?
    ) throws -> Comparison {
        var found = Comparison()
        let install = known.id
        guard let first = prepared.seqs.first else { return found }
        let submission = prepared.submission
        // For each of the batch's users, the number up to which lines are erased; 0 for none.
        let limits = try erasedUsers.map { through in try submission.users.map { try through($0) ?? 0 } } ?? []
        let mayBeErased = limits.contains { $0 >= first.lowerBound }
        guard first.lowerBound <= known.highest || mayBeErased else { return found }
        var verdicts = [LineVerdict](repeating: .new, count: submission.lines.count)
        var stored: [StoredLine] = []
        var fates = index.fates(of: install)
        var runs = index.runs(of: install)
        for (ordinal, line) in submission.lines.enumerated() {
            let seq = line.facts.seq
            let isErased = mayBeErased && seq <= limits[line.facts.user]
            switch try fates.row(at: seq) {
            case .stored?:
                // A stored number without a run: its receipt and its bytes are unknown.
                guard let run = try runs.row(at: seq) else {
                    verdicts[ordinal] = .unverified
                    continue
                }
                stored.append(
                    StoredLine(
                        ordinal: ordinal, receipt: run.receipt,
                        storedOrdinal: run.ordinal + Int(seq - run.seqs.lowerBound)))
            case let fate? where fate >= .optedOut:
                verdicts[ordinal] = fate == .optedOut && !isErased ? .optedOut : .erased
            // Another user's line is new, whether or not an erasure has named its number.
            default: if isErased { verdicts[ordinal] = .erased }
            }
        }
        try compareHashes(of: prepared, with: stored) { verdicts[$0] = $1 }
        for (line, verdict) in zip(submission.lines, verdicts) { found.add(line.facts.seq, verdict) }
        return found
    }

    /// A line whose number is stored.
    private struct StoredLine {
        var ordinal: Int
        /// The receipt of the batch that stored the number, and the ordinal of its line there.
        var receipt: Int64
        var storedOrdinal: Int
    }

    /// The size of the index's pages.
    private static let pageBytes = 4096

    /// Compares lines with the stored ones. Reads the hashes of each stored batch once, and has those of one batch at a
    /// time in memory.
    private func compareHashes(
        of prepared: PreparedSubmission, with stored: [StoredLine], _ verdict: (_ ordinal: Int, LineVerdict) -> Void
    ) throws {
        let kept = LineDigest.keptBytes
        var rest = stored.sorted { $0.receipt < $1.receipt }[...]
        while let receipt = rest.first?.receipt {
            let lines = rest.prefix { $0.receipt == receipt }
            rest = rest.dropFirst(lines.count)
            let hashes = try index.connection.first(
                "SELECT bytes FROM hashes WHERE receipt = ?", .int(receipt)
            ) { $0.blob(0) }
            try index.spend(1 + (hashes?.count ?? 0) / Self.pageBytes)
            for line in lines {
                let start = kept * line.storedOrdinal
                guard let hashes, start + kept <= hashes.count else {
                    // The hash has expired.
                    let isFork = isOlder(prepared.submission.header?.receipt, than: receipt)
                    verdict(line.ordinal, isFork ? .forked : .unverified)
                    continue
                }
                let own = prepared.hashes[kept * line.ordinal..<kept * (line.ordinal + 1)]
                verdict(line.ordinal, hashes[start..<start + kept].elementsEqual(own) ? .duplicate : .forked)
            }
        }
    }

    /// Whether a client with this receipt can't have sent what a later receipt acknowledged, so that another copy
    /// of the client sent the number. A missing receipt or one of another collector proves nothing.
    private func isOlder(_ named: ReceiptName?, than receipt: Int64) -> Bool {
        guard let named, named.collector == collector else { return false }
        return named.number < receipt
    }

    // MARK: The frame

    /// The frame of a submission, with the lines whose numbers are stored.
    func frame(of prepared: PreparedSubmission, storing seqs: [ClosedRange<Int64>]) -> BatchFrame {
        let (submission, header) = (prepared.submission, prepared.submission.header)
        var frame = BatchFrame(
            receivedAt: submission.receivedAt.microseconds, sentAt: submission.sentAt?.microseconds,
            installID: submission.installID, secretHash: prepared.secretHash, key: prepared.key,
            digest: prepared.digest,
            named: header?.receipt, seqs: header?.seqs, absent: header?.missing ?? [], ledger: header?.ledger ?? [],
            users: submission.users, schemas: submission.schemas)
        frame.rejected = submission.rejected.map {
            .init(rejection: $0.rejection, bytes: Array(submission.body[$0.bytes].prefix(Submission.keptBytes)))
        }
        let lines =
            seqs == prepared.seqs
            ? submission.lines : submission.lines.filter { NumberRanges.contains(seqs, $0.facts.seq) }
        frame.lines = lines.map(\.facts)
        frame.text.reserveCapacity(lines.reduce(0) { $0 + $1.bytes.count + 1 })
        submission.body.withUnsafeBytes { body in
            for line in lines {
                frame.text.append(contentsOf: UnsafeRawBufferPointer(rebasing: body[line.bytes]))
                frame.text.append(UInt8(ascii: "\n"))
            }
        }
        if lines.count < submission.lines.count { frame.dropUnusedTexts() }
        return frame
    }

    private static func hashes(of prepared: PreparedSubmission, in seqs: [ClosedRange<Int64>]) -> [UInt8] {
        let kept = LineDigest.keptBytes
        var hashes: [UInt8] = []
        for (index, line) in prepared.submission.lines.enumerated()
        where NumberRanges.contains(seqs, line.facts.seq) {
            hashes += prepared.hashes[kept * index..<kept * (index + 1)]
        }
        return hashes
    }
}

extension BatchFrame {
    /// Removes users and schemas that no line refers to.
    mutating func dropUnusedTexts() {
        var (userLocations, schemaLocations): ([Int: Int], [Int: Int]) = ([:], [:])
        var (keptUsers, keptSchemas): ([String], [String]) = ([], [])
        for index in lines.indices {
            let (user, schema) = (lines[index].user, lines[index].schema)
            if userLocations[user] == nil {
                userLocations[user] = keptUsers.count
                keptUsers.append(users[user])
            }
            if schemaLocations[schema] == nil {
                schemaLocations[schema] = keptSchemas.count
                keptSchemas.append(schemas[schema])
            }
            (lines[index].user, lines[index].schema) = (userLocations[user] ?? 0, schemaLocations[schema] ?? 0)
        }
        (users, schemas) = (keptUsers, keptSchemas)
    }
}
