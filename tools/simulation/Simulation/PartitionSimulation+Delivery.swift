import DeliveryProtocol
import Foundation
import Primitives
import StreamClient
import TrackingCore

/// A request of a device, in progress.
struct Request {
    var device: Int
    /// 0 for a copy that the network made: no device waits for its answer.
    var number: UInt32
    var batch: Batch
    var leftAt: Microseconds
    var clockError: Int64
    var answer = Answer.failed
}

extension PartitionSimulation {
    /// The maximum number of events of a batch.
    static let batchEvents: Int64 = 500
    /// How long a device waits for an answer.
    static let timeout = 30 * Microseconds.second

    /// Starts a delivery, unless one runs or a pause forbids it. Mirrors `SinkRunner.deliver`.
    ///
    /// - Parameter isFurther: Whether the delivery continues with the next batch. Requested numbers wait for the next delivery.
    func deliver(_ device: Device, isFurther: Bool = false) throws {
        guard device.request == 0, !device.isLost, now >= device.offlineUntil else { return }
        if now < device.pausedUntil { return wakeLater(device) }
        if let wanted = device.wanted, !isFurther {
            device.wanted = nil
            device.served.insert(wanted)
            if wanted - 1 < device.cursor {
                device.cursor = wanted - 1
                device.sealed = nil
            }
        }
        if device.sealed == nil { device.sealed = try seal(device) }
        guard let batch = device.sealed else { return }
        try check(
            !device.formerInstalls.contains(device.install.number), .clonesSeparate, device.install,
            "device \(device.number) sends \(batch.seqs) after the answer 409")
        send(batch, from: device)
    }

    private func wakeLater(_ device: Device) {
        guard !device.hasWake, device.runsAlways || device.pausedUntil <= device.activeUntil else { return }
        device.hasWake = true
        agenda.add(.wake, device.number, at: device.pausedUntil)
    }

    func wake(_ device: Device) throws {
        device.hasWake = false
        try deliver(device)
    }

    /// Seals the next batch. Mirrors `Delivery.seal`.
    private func seal(_ device: Device) throws -> Batch? {
        let first = device.cursor + 1
        var lines: [Piece] = []
        var count: Int64 = 0
        for piece in device.log[device.piece(from: first)...] where count < Self.batchEvents {
            let low = max(first, piece.seqs.lowerBound)
            let seqs = low...min(piece.seqs.upperBound, low + Self.batchEvents - count - 1)
            guard let part = piece.clamped(to: seqs) else { continue }
            lines.append(part)
            count += seqs.length
        }
        guard let last = lines.last?.seqs.upperBound else { return nil }
        let seqs = first...(count == Self.batchEvents ? last : device.last)
        var absent = device.discards(after: device.cursor).compactMap { absent -> StreamMessage.AbsentNumbers? in
            guard absent.seqs.overlaps(seqs) else { return nil }
            var absent = absent
            absent.seqs = absent.seqs.clamped(to: seqs)
            return absent
        }
        if fault == .silentDiscard { absent = [] }
        let known = try ranges.union(lines.map(\.seqs), absent.map(\.seqs))
        let rest = try ranges.difference([seqs], known)
        try check(
            rest.last.map { $0.upperBound <= device.confirmed } ?? true, .completeBatch, device.install,
            "batch \(seqs) of device \(device.number) has neither lines nor reasons for \(rest)")
        if !rest.isEmpty {
            // Delivered before and pruned since.
            absent += rest.map { .init($0, .dropped) }
            absent.sort { $0.seqs.lowerBound < $1.seqs.lowerBound }
        }
        statistics.batches += 1
        return Batch(
            id: random.next(), install: device.install, secret: device.secret, seqs: seqs, lines: lines,
            invalid: invalid(in: lines, of: device.install), absent: absent)
    }

    /// The lines that no schema allows: a fixed choice of numbers.
    private func invalid(in lines: [Piece], of install: Install) -> Ranges {
        var found: Ranges = []
        let first = 1 + Int64(install.number) * 37 % 4001
        for piece in lines {
            var seq = max(0, piece.seqs.lowerBound + 4000 - first) / 4001 * 4001 + first
            while seq <= piece.seqs.upperBound {
                found.append(seq...seq)
                seq += 4001
            }
        }
        return found
    }

    private func send(_ batch: Batch, from device: Device) {
        lastRequest += 1
        device.request = lastRequest
        if fault == .earlyDeletion {
            device.cursor = max(device.cursor, batch.seqs.upperBound)
            device.sealed = nil
            device.log.removeFirst(device.piece(from: device.cursor + 1))
        }
        let request = Request(
            device: device.number, number: lastRequest, batch: batch, leftAt: now, clockError: device.clockError)
        let slot = addRequest(request)
        var copy = request
        copy.number = 0
        let fortune = random.below(1000)
        switch fortune {
        case 0..<5: agenda.add(.answer, slot, at: now + Self.timeout)  // the request is lost
        case 5..<7:  // it arrives after the device has given up
            agenda.add(.answer, slot, at: now + Self.timeout)
            agenda.add(.arrival, addRequest(copy), at: now + Self.timeout + uniform(0...10 * .minute))
        case 10..<14:  // the app is killed; its next start sends the batch again
            requests[slot].number = 0
            agenda.add(.arrival, slot, at: now + latency())
            (device.request, device.wanted, device.served) = (0, nil, [])
            (device.pausedUntil, device.hasWake) = (now + .minute, false)
            wakeLater(device)
        default:
            agenda.add(.arrival, slot, at: now + latency())
            if fortune < 10 { agenda.add(.arrival, addRequest(copy), at: now + uniform(.second...2 * .minute)) }
        }
    }

    private func addRequest(_ request: Request) -> Int {
        if let free = freeRequests.popLast() {
            requests[free] = request
            return free
        }
        requests.append(request)
        return requests.count - 1
    }

    func answer(_ slot: Int) throws {
        let request = requests[slot]
        freeRequests.append(slot)
        let device = devices[request.device]
        guard device.request == request.number else { return }
        device.request = 0
        switch request.answer {
        case .failed: fail(device)
        case .accepted(let missing): try accepted(request.batch, missing, device)
        case .forked(let acknowledged): try leave(device, acknowledged)
        case .taken: try leave(device, [])
        }
        if case .failed = request.answer { return wakeLater(device) }
        try deliver(device, isFurther: true)
    }

    private func fail(_ device: Device) {
        statistics.failedRequests += 1
        let wait = BackOff.wait(failures: device.failures) { longest in
            fault == .noJitter ? longest : longest * uniform()
        }
        device.failures += 1
        let (seconds, attoseconds) = wait.components
        device.pausedUntil = now + seconds * .second + attoseconds / 1_000_000_000_000
    }

    private func accepted(_ batch: Batch, _ missing: Ranges, _ device: Device) throws {
        (device.failures, device.pausedUntil) = (0, 0)
        device.cursor = max(device.cursor, batch.seqs.upperBound)
        device.confirmed = max(device.confirmed, batch.seqs.upperBound)
        device.sealed = nil
        for piece in batch.lines { try acknowledge(piece, without: batch.invalid, of: batch.install) }
        try checkAcknowledged(batch.install)
        // Mirrors `WantedNumbers.note`.
        guard let first = missing.first?.lowerBound, first < batch.seqs.lowerBound else {
            device.wanted = nil
            return
        }
        device.wanted = device.served.contains(first) ? nil : first
    }

    private func acknowledge(_ piece: Piece, without invalid: Ranges, of install: Install) throws {
        let branch = install.branches[Int(piece.branch)]
        let rejected = invalid.isEmpty ? [] : try ranges.common([piece.seqs], invalid)
        if !rejected.isEmpty { branch.rejected = try ranges.union(branch.rejected, rejected) }
        for seqs in try ranges.difference([piece.seqs], rejected) {
            let stored = branch.stored.count(in: seqs)
            if stored == seqs.length { continue }
            var new = [seqs]
            if stored > 0 {
                new = NumberRanges.ranges(of: seqs.filter { !branch.stored.contains($0) })
            }
            branch.unstored = try ranges.union(branch.unstored, new)
        }
    }

    /// Continues as a new install. Mirrors `Forks.leave`.
    private func leave(_ device: Device, _ acknowledged: Ranges) throws {
        let former = device.install
        device.formerInstalls.insert(former.number)
        statistics.newGenerations += 1
        if fault == .stayingClone { return }
        let waiting = device.waiting(after: device.cursor)
        if !acknowledged.isEmpty {
            for piece in waiting {
                for seqs in try ranges.common([piece.seqs], acknowledged) {
                    guard let known = piece.clamped(to: seqs) else { continue }
                    try acknowledge(known, without: [], of: former)
                }
            }
            try checkAcknowledged(former)
        }
        startLog(of: device, makeInstall())
        if fault == .lostCopies { return }
        let branch = device.install.branches[Int(device.branch)]
        for piece in waiting {
            let old = former.branches[Int(piece.branch)]
            for seqs in try ranges.difference([piece.seqs], acknowledged) {
                old.moved = try ranges.union(old.moved, [seqs])
                var copy = piece
                copy.seqs = device.last + 1...device.last + seqs.length
                copy.branch = device.branch
                device.log.append(copy)
                device.last = copy.seqs.upperBound
            }
        }
        branch.last = device.last
    }
}
