import EventFormats
import EventModel
import Primitives
import StreamClient
import Warehouse

extension PartitionSimulation {
    /// The loader reads the stream, writes blocks, and publishes verdicts.
    func load() throws {
        if let end = streamDown.end(at: now) ?? loaderDown.end(at: now) {
            agenda.add(.load, at: max(end, now + LoaderModel.interval))
            return
        }
        agenda.add(.load, at: now + LoaderModel.interval)
        let hasBlock = !stream.waiting.isEmpty
        if hasBlock {
            let waiting = stream.waiting
            stream.waiting = []
            var start = 0
            while start < waiting.count {
                var (end, rows) = (start, Int64(0))
                while end < waiting.count, rows < LoaderModel.blockRows {
                    rows += waiting[end].message.lines.reduce(0) { $0 + $1.seqs.length }
                    end += 1
                }
                try writeBlock(waiting[start..<end])
                start = end
            }
            try check(
                loader.through == stream.last && loader.digest == stream.digest, .contiguousCuts, nil,
                "the blocks up to \(loader.through) have other messages than the stream up to \(stream.last)")
        }
        // Without gaps and blocks there are no new verdicts.
        if hasBlock || !openGaps.isEmpty { try publishVerdicts() }
        if now >= nextGapCheck {
            try checkRequested()
            nextGapCheck = now + 5 * .minute
        }
    }

    private func writeBlock(_ messages: ArraySlice<(sequence: Int64, message: Message)>) throws {
        var cut = Array(messages)
        if fault == .cutSkips, happens(0.01) { cut.removeFirst() }
        if fault == .cutOverlaps, happens(0.01), let last = loader.lastMessage {
            cut.insert((loader.through, last), at: 0)
        }
        let isContiguous = cut.enumerated().allSatisfy { $1.sequence == loader.through + 1 + Int64($0) }
        try check(
            isContiguous && cut.last?.sequence == messages.last?.sequence, .contiguousCuts, nil,
            "block \(loader.block + 1) after \(loader.through) has the messages \(cut.map(\.sequence))")
        let crashes = happens(0.005)
        var (isRepeat, written): (Bool, UInt64) = (false, 0)
        try loader.add(
            cut.map(\.message), at: now, crashes: crashes, fault,
            forget: fault == .forgottenRegister && happens(0.1)
        ) { block, results in
            var results = results
            if isRepeat, fault == .changedBlock { results.removeLast() }
            let digest = Self.digest(of: results)
            if isRepeat {
                try check(
                    digest == written, .rowsOnce, nil, "block \(block) has other rows after a crash")
                if fault == .blockTwice { try writeAgain(results) }
                return
            }
            for result in results { try write(result) }
            (isRepeat, written) = (true, digest)
        }
        for (sequence, message) in cut { loader.digest &+= StreamModel.digest(of: message, sequence) }
        loader.through = cut.last?.sequence ?? loader.through
        loader.lastMessage = cut.last?.message
        statistics.blocks += 1
        if crashes { statistics.repeatedBlocks += 1 }
    }

    /// Depends on all rows of a block.
    private static func digest(of results: [LoaderModel.Result]) -> UInt64 {
        var digest = UInt64(results.count)
        for result in results {
            digest = digest &* 0x100_0000_01B3 ^ result.message.id
            for verdict in result.verdicts {
                let value: UInt64 =
                    switch verdict {
                    case .new: 1
                    case .duplicate: 2
                    case .fork(_, let isNew): isNew ? 3 : 4
                    }
                digest = digest &* 31 &+ value
            }
        }
        return digest
    }

    /// Writes the rows of a block that the store has.
    private func writeAgain(_ results: [LoaderModel.Result]) throws {
        for result in results where result.verdicts.allSatisfy({ $0 == .new }) {
            let install = result.message.batch.install
            for piece in result.message.lines {
                try store(piece.seqs, install.branches[Int(piece.branch)], install, isFork: false)
            }
        }
    }

    /// Stores the rows of a message, and compares the decisions of the register and of the accounts with the model.
    private func write(_ result: LoaderModel.Result) throws {
        let (message, install) = (result.message, result.message.batch.install)
        let arrival = WarehouseRowWriter.Arrival(
            receivedAt: EventTime(microseconds: message.receivedAt),
            sentAt: EventTime(microseconds: message.sentAt),
            collector: "", batch: "", block: "")
        if install.firstSecret == nil { install.firstSecret = message.batch.secret }
        if install.firstSecret !== message.batch.secret { install.hasOtherSecret = true }
        var start = 0
        for piece in message.lines {
            let count = Int(piece.seqs.length)
            try check(
                start + count <= result.verdicts.count, .exactRegister, install, "no decision about \(piece.seqs)")
            try write(piece, result.verdicts[start..<start + count], of: install)
            try checkTimes(of: piece, arrival, message)
            start += count
        }
        statistics.loadedEvents += Int64(start)
        message.isInStream = false
        install.inFlight.removeAll { $0 === message && !$0.isAtCollector }
        try account(for: result, install)
        for piece in message.lines {
            let branch = install.branches[Int(piece.branch)]
            if !branch.unstored.isEmpty, branch.stored.containsAll(piece.seqs) {
                branch.unstored = try ranges.difference(branch.unstored, [piece.seqs])
            }
        }
        try checkAcknowledged(install)
    }

    private func write(_ piece: Piece, _ verdicts: ArraySlice<LineRegister.Verdict>, of install: Install) throws {
        let branch = install.branches[Int(piece.branch)]
        ranges.checks.count(.exactRegister, piece.seqs.length)
        // The usual case: all lines are new.
        if install.lines.count(in: piece.seqs) == 0, branch.stored.count(in: piece.seqs) == 0 {
            guard verdicts.allSatisfy({ $0 == .new }) else {
                throw violation(.exactRegister, install, "not all of \(piece.seqs) are new")
            }
            return try store(piece.seqs, branch, install, isFork: false)
        }
        for (seq, verdict) in zip(piece.seqs, verdicts) {
            let isStored = branch.stored.contains(seq)
            let isFork = !isStored && install.lines.contains(seq)
            if isFork {
                try check(
                    install.isCopied, .newInstallIsNew, install, "number \(seq) has different bytes, without a copy"
                )
            }
            var verdict = verdict
            if fault == .forkAsDuplicate, case .fork = verdict { verdict = .duplicate }
            let isExpected =
                switch verdict {
                case .new: !isStored && !isFork
                // A line of a fork that is stored, too.
                case .duplicate, .fork(_, isNew: false): isStored
                case .fork(_, isNew: true): isFork
                }
            guard isExpected else {
                throw violation(
                    .exactRegister, install,
                    "number \(seq) of device \(piece.branch) is \(verdict), but stored: \(isStored), fork: \(isFork)"
                )
            }
            if isStored {
                statistics.duplicates += 1
                if fault == .doubleCount { try store(seq...seq, branch, install, isFork: false) }
            } else if !isFork || fault != .forkDropped {
                try store(seq...seq, branch, install, isFork: isFork)
            }
        }
    }

    /// Adds rows to the store.
    private func store(_ seqs: ClosedRange<Int64>, _ branch: Branch, _ install: Install, isFork: Bool) throws {
        try check(
            branch.stored.insert(seqs) == seqs.length, .rowsOnce, install, "some rows of \(seqs) are stored already"
        )
        if isFork {
            statistics.forks += seqs.length
            install.forks.insert(seqs)
        } else {
            install.lines.insert(seqs)
        }
        statistics.rows += seqs.length
    }

    /// Checks the corrected time and the hour of rows. Mirrors `WarehouseRowWriter` and `BlockBuilder`.
    private func checkTimes(of piece: Piece, _ arrival: WarehouseRowWriter.Arrival, _ message: Message) throws {
        let error = fault == .wrongClockSign ? -arrival.clockError : arrival.clockError
        let difference = piece.recordedAt + piece.clockError + error - piece.recordedAt
        let transit = message.receivedAt - message.leftAt
        let jumps = piece.clockError - message.clockError
        try check(
            difference - jumps >= 0 && difference - jumps <= transit, .correctedTime, message.batch.install,
            "the corrected time of \(piece.seqs) is off by \(difference) µs; transit \(transit) µs, jumps \(jumps) µs"
        )
        let rowTime = fault == .eventHour ? piece.recordedAt + piece.clockError : arrival.receivedAt.microseconds
        let hour = max(0, rowTime) / .hour
        try check(
            hour * .hour <= message.receivedAt && message.receivedAt < (hour + 1) * .hour, .receiptHour,
            message.batch.install, "\(piece.seqs) is in hour \(hour)")
    }

    private func account(for result: LoaderModel.Result, _ install: Install) throws {
        let message = result.message
        for piece in message.lines { install.accounted.insert(piece.seqs) }
        for absent in message.absent { install.accounted.insert(absent.seqs) }
        install.highest = max(install.highest, message.batch.seqs.upperBound)
        guard result.isLast else { return }
        guard let account = result.account else { throw violation(.exactGaps, install, "no account") }
        try ranges.checkNormal(account.ranges, through: install.highest)
        let gaps = account.gaps.map(\.seqs)
        let isExact =
            account.highest == install.highest && account.ranges.length == install.accounted.count
            && account.ranges.allSatisfy { install.accounted.containsAll($0) }
            && gaps.length == install.highest - install.accounted.count
            && gaps.allSatisfy { install.accounted.count(in: $0) == 0 }
        try check(
            isExact, .exactGaps, install,
            "\(account.ranges) with gaps \(gaps), but \(install.accounted.count) of \(install.highest) are known")
        if gaps.isEmpty {
            guard !install.missingSince.isEmpty else { return }
            statistics.gapsFilled += Int64(install.missingSince.count)
            install.missingSince = [:]
            openGaps.remove(install.number)
            unrequested.remove(install.number)
            return
        }
        let former = install.missingSince
        install.missingSince = former.filter { !install.accounted.contains($0.key) }
        statistics.gapsFilled += Int64(former.count - install.missingSince.count)
        for seqs in gaps {
            for seq in seqs where install.missingSince[seq] == nil {
                install.missingSince[seq] = now
                statistics.gapsNoticed += 1
                unrequested.insert(install.number)
            }
        }
        openGaps.insert(install.number)
    }

    private func publishVerdicts() throws {
        for verdict in try loader.verdicts(at: now, hasGaps: !openGaps.isEmpty, fault) {
            guard let number = installNumbers[verdict.installID] else { continue }
            let install = installs[number]
            var sent: InstallVerdict
            do { sent = try InstallVerdict(payload: verdict.payload) } catch {
                throw violation(.justifiedRequest, install, "the verdict cannot be read: \(error)")
            }
            if fault == .unpublishedVerdict { continue }
            if fault == .unreportedFork { sent.forked = [] }
            try checkJustified(sent, install)
            if install.published?.forked.isEmpty ?? true, !sent.forked.isEmpty {
                statistics.copiedInstallsFound += 1
            }
            let requested = install.published?.missing ?? []
            statistics.gapsRequested += try ranges.difference(sent.missing, requested).length
            (install.published, install.publishedAt) = (sent, now)
            verdictLog.append((now, number, sent))
            statistics.verdicts += 1
        }
    }

    private func checkJustified(_ verdict: InstallVerdict, _ install: Install) throws {
        for seq in verdict.missing.joined() {
            let since = install.missingSince[seq] ?? .max
            try check(
                since <= now - LoaderModel.gapAgeMicroseconds, .justifiedRequest, install,
                "number \(seq) is requested, "
                    + (since == .max ? "but not missing" : "missing for \((now - since) / .second) s"))
        }
        try checkExact(verdict, install)
    }

    /// Checks the forks and the secret of an install's verdict.
    func checkExact(_ verdict: InstallVerdict, _ install: Install) throws {
        let hasForks =
            verdict.forked.length == install.forks.count
            && verdict.forked.allSatisfy { install.forks.containsAll($0) }
        let secret = install.hasOtherSecret ? install.firstSecret?.hash ?? [] : []
        try check(
            hasForks && verdict.secretHash == secret, .exactVerdict, install,
            "the verdict reports \(verdict.forked) of \(install.forks.count) forks; another secret: "
                + "\(install.hasOtherSecret), reported: \(!verdict.secretHash.isEmpty)")
    }

    /// Checks that old gaps are requested. A loader that was down makes its verdicts after its start.
    private func checkRequested() throws {
        let slack = 2 * Microseconds.minute
        guard now - max(loaderDown.upSince(at: now), streamDown.upSince(at: now)) > slack else { return }
        let limit = now - LoaderModel.gapAgeMicroseconds - slack
        for number in unrequested.sorted() {
            let install = installs[number]
            var isDone = true
            for (seq, since) in install.missingSince {
                guard since <= limit else {
                    isDone = false
                    continue
                }
                try check(
                    NumberRanges.contains(install.published?.missing ?? [], seq), .gapIsRequested, install,
                    "number \(seq) is missing for \((now - since) / .second) s and not requested")
            }
            if isDone { unrequested.remove(number) }
        }
    }
}
