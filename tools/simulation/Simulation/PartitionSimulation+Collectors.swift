import DeliveryProtocol
import Primitives
import StreamClient

extension PartitionSimulation {
    /// A request arrives at the balancer, which passes it to a random collector that works.
    func arrival(_ slot: Int) throws {
        statistics.requests += 1
        countAfterOutage()
        var request = requests[slot]
        let working = collectors.indices.filter { collectors[$0].down.end(at: now) == nil }
        if let collector = random.one(of: working) {
            readVerdicts(collector)
            request.answer = try accept(request, collector)
        }
        guard request.number != 0 else {
            freeRequests.append(slot)
            return
        }
        var arrives = now + latency()
        if happens(0.005) {
            // The answer is lost: the device sends the same batch again.
            request.answer = .failed
            arrives = max(arrives, request.leftAt + Self.timeout)
        }
        requests[slot] = request
        agenda.add(.answer, slot, at: arrives)
    }

    private func countAfterOutage() {
        for (index, outage) in scenario.allDown.enumerated() where now >= outage.end {
            let slot = Int((now - outage.end) / RequestRate.period)
            if slot < RequestRate.periods { statistics.afterOutage[index][slot] += 1 }
        }
    }

    /// Decides about a batch. Mirrors `EventsRoute`, `Judge.verdict(on:)` and `StoreCore.store`.
    private func accept(_ request: Request, _ collector: Int) throws -> Answer {
        let (batch, install) = (request.batch, request.batch.install)
        let verdict = collectors[collector].verdicts[install.number]
        if let secret = verdict?.secretHash, !secret.isEmpty, secret != batch.secret.hash { return .taken }
        let isForkedElsewhere = !(verdict?.forked.isEmpty ?? true)
        let valid = try lines(of: batch)
        guard let known = collectors[collector][install.number] else {
            if isForkedElsewhere { return .forked(acknowledged: []) }
            let new = CollectorModel.Known(batch.secret)
            collectors[collector][install.number] = new
            return try store(request, valid, new, verdict, collector)
        }
        guard known.secret === batch.secret else { return .taken }
        if known.batches.contains(batch.id) {
            statistics.repeatedBatches += 1
            return try receipt(for: batch, verdict, collector)
        }
        let found = known.compare(valid)
        if !found.forked.isEmpty || isForkedElsewhere { return .forked(acknowledged: found.duplicates) }
        var new = valid
        if !found.duplicates.isEmpty {
            new = []
            for piece in valid {
                for seqs in try ranges.difference([piece.seqs], NumberRanges.union(found.duplicates)) {
                    if let part = piece.clamped(to: seqs) { new.append(part) }
                }
            }
        }
        return try store(request, new, known, verdict, collector)
    }

    private func lines(of batch: Batch) throws -> [Piece] {
        if batch.invalid.isEmpty { return batch.lines }
        var lines: [Piece] = []
        for piece in batch.lines {
            for seqs in try ranges.difference([piece.seqs], batch.invalid) {
                if let part = piece.clamped(to: seqs) { lines.append(part) }
            }
        }
        return lines
    }

    private func store(
        _ request: Request, _ lines: [Piece], _ known: CollectorModel.Known, _ verdict: InstallVerdict?,
        _ collector: Int
    ) throws -> Answer {
        let (batch, install) = (request.batch, request.batch.install)
        try checkApplied(install, collector)
        known.add(lines, batch)
        var absent = batch.absent
        if !batch.invalid.isEmpty {
            absent += batch.invalid.map { .init($0, .refused, reason: "schema") }
            absent.sort { $0.seqs.lowerBound < $1.seqs.lowerBound }
        }
        // Mirrors `ForwardedBatch.isEmpty`.
        if !lines.isEmpty || !absent.isEmpty, fault != .droppedBatch || !happens(0.01) {
            let message = Message(
                batch, lines: lines, absent: absent, receivedAt: now, sentAt: request.leftAt + request.clockError,
                leftAt: request.leftAt, clockError: request.clockError)
            collectors[collector].pending.append(message)
            install.inFlight.append(message)
            startForwarding(collector, after: 250 * .millisecond)
        }
        return try receipt(for: batch, verdict, collector)
    }

    private func receipt(for batch: Batch, _ verdict: InstallVerdict?, _ collector: Int) throws -> Answer {
        let missing = try ranges.difference(verdict?.missing ?? [], [batch.seqs])
        let install = batch.install
        if isConnected(collector), install.publishedAt <= now - 2 * .second,
            let published = install.published?.missing, !published.isEmpty
        {
            let due = try ranges.difference(published, [batch.seqs])
            try check(
                due == missing, .verdictIsApplied, install,
                "collector \(collector) requests \(missing) instead of \(due)")
        }
        return .accepted(missing: missing)
    }

    private func checkApplied(_ install: Install, _ collector: Int) throws {
        guard let published = install.published, install.publishedAt <= now - 2 * .second, isConnected(collector)
        else { return }
        try check(
            published.forked.isEmpty, .verdictIsApplied, install,
            "collector \(collector) accepts events of an install with forks at \(published.forked)")
    }

    private func isConnected(_ collector: Int) -> Bool {
        streamDown.end(at: now) == nil && collectors[collector].cutOff.end(at: now) == nil
    }

    /// Reads new verdicts. Mirrors `VerdictReader`, which reads once a second.
    private func readVerdicts(_ collector: Int) {
        guard isConnected(collector) else { return }
        var read = collectors[collector].verdictsRead
        while read < verdictLog.count, verdictLog[read].time <= now - .second {
            let (_, install, verdict) = verdictLog[read]
            if fault != .verdictLost || read % 2 == 0 {
                collectors[collector].verdicts[install] = verdict.isEmpty ? nil : verdict
            }
            read += 1
        }
        collectors[collector].verdictsRead = read
    }

    func startForwarding(_ collector: Int, after wait: Microseconds) {
        guard !collectors[collector].isForwarding else { return }
        collectors[collector].isForwarding = true
        agenda.add(.forward, collector, at: now + wait)
    }

    /// Publishes what is pending. Mirrors `EventForwarder.publish`.
    func forward(_ collector: Int) throws {
        collectors[collector].isForwarding = false
        guard !collectors[collector].pending.isEmpty, collectors[collector].down.end(at: now) == nil else { return }
        if let end = streamDown.end(at: now) ?? collectors[collector].cutOff.end(at: now) {
            if fault == .earlyPosition {
                for message in collectors[collector].pending {
                    message.isAtCollector = false
                    try checkAcknowledged(message.batch.install)
                }
                collectors[collector].pending = []
            }
            // Its back-off is at most 10 seconds.
            return startForwarding(collector, after: end - now + uniform(0...10 * .second))
        }
        let messages = collectors[collector].pending
        for message in messages {
            if fault == .brokerLoss, happens(0.01) { continue }
            if stream.publish(message, at: now) {
                message.isInStream = true
                statistics.messages += 1
            }
        }
        if happens(0.002) {
            // The acknowledgement of the stream is lost.
            return startForwarding(collector, after: uniform(.second...10 * .second))
        }
        collectors[collector].pending = []
        for message in messages {
            message.isAtCollector = false
            try checkAcknowledged(message.batch.install)
        }
        // The position is stored at most once a second.
        if now - lastForwardingPositions[collector] >= .second {
            lastForwardingPositions[collector] = now
            collectors[collector].recent = []
        } else {
            collectors[collector].recent += messages.map { ($0, now) }
        }
    }

    /// A collector starts: it forwards again what its stored position does not cover, and reads all verdicts.
    func restart(_ collector: Int) throws {
        let recent = collectors[collector].recent.map(\.message)
        collectors[collector].recent = []
        collectors[collector].pending = recent + collectors[collector].pending
        for message in recent { message.isAtCollector = true }
        (collectors[collector].verdicts, collectors[collector].verdictsRead) = ([:], 0)
        startForwarding(collector, after: 250 * .millisecond)
    }
}
