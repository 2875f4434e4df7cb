#if NATS
    import DeliveryProtocol
    import Foundation
    import Primitives
    import StreamProtocol
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
        /// How long a log keeps delivered lines. The SDK's default is 30 days; shorter times make requests for lines that the
        /// device no longer has possible.
        static let retention = 7 * Microseconds.day

        // MARK: Making

        func makeDevices() {
            let count =
                settings.installs / settings.partitions + (partition < settings.installs % settings.partitions ? 1 : 0)
            for _ in 0..<count {
                let install = makeInstall()
                let device = Device(number: devices.count, install, branch: begin(install, after: 0), secret())
                device.sessionsPerDay = 1 + 3 * uniform() * uniform()
                // Log-normal: few devices record most of the events.
                let normal = (-2 * log(max(uniform(), 1e-12))).squareRoot() * cos(2 * .pi * uniform())
                let perDay = settings.eventsPerDay * min(50, exp(normal - 0.5))
                device.eventsPerSession = perDay / device.sessionsPerDay
                device.runsAlways = happens(0.3)
                if happens(0.03) { device.logLimit = 20 + Int64(random.below(UInt64(80))) }
                planLife(of: device)
                add(device)
            }
        }

        private func add(_ device: Device) {
            devices.append(device)
            statistics.devices += 1
            agenda.add(.session, device.number, at: now + exponential(mean: Double(Int64.day) / device.sessionsPerDay))
        }

        private func planLife(of device: Device) {
            func some(_ probability: Double, _ event: @autoclosure () -> Device.LifeEvent) {
                guard happens(probability) else { return }
                device.lifeEvents.append((uniform(.start + .hour...scenario.end), event()))
            }
            for _ in 0..<3 { some(0.04, .clockJump(clockJump())) }
            some(0.03, .reinstall)
            some(0.01, .clone(hasOtherSecret: happens(0.2)))
            if happens(0.01) {
                let backUp = uniform(.start + .hour...scenario.end)
                device.lifeEvents.append((backUp, .backUp))
                device.lifeEvents.append((uniform(backUp...scenario.end), .restore))
            }
            some(0.02, .vanish)
            some(0.005, .erase)
            device.lifeEvents.sort { $0.time < $1.time }
        }

        /// From hours to years, in both directions.
        private func clockJump() -> Int64 {
            let size = exp(uniform() * log(20_000.0)) * Double(Int64.hour)
            return happens(0.5) ? Int64(size) : -Int64(size)
        }

        private func makeInstall() -> Install {
            var id = ""
            repeat {
                id = String(random.next(), radix: 16) + String(random.next(), radix: 16)
            } while StreamNames.partition(ofInstall: id, count: settings.partitions) != partition
            let install = Install(number: installs.count, id: id)
            installs.append(install)
            installNumbers[id] = install.number
            statistics.installs += 1
            return install
        }

        private func secret() -> Secret { Secret(random.next()) }

        /// Begins the events of a device under an install.
        private func begin(_ install: Install, after base: Int64) -> Int32 {
            install.branches.append(Branch(key: random.next(), base: base))
            return Int32(install.branches.count - 1)
        }

        // MARK: Recording

        /// A device records the events of a session, and delivers.
        func session(_ device: Device) throws {
            try live(device)
            guard !device.isLost else { return }
            let next = now + exponential(mean: Double(Int64.day) / device.sessionsPerDay)
            if next < scenario.end { agenda.add(.session, device.number, at: next) }
            try record(Int64(device.eventsPerSession * (0.5 + uniform()) + uniform()), on: device)
            if happens(0.02) {
                // Minutes to weeks.
                device.offlineUntil = max(device.offlineUntil, now + Int64(exp(uniform() * log(30_000.0)) * 60e6))
            }
            try deliverAtStart(device)
        }

        /// Devices get a push notification, and most of their users open the app.
        func push() {
            for device in devices where !device.isLost && happens(0.6) {
                agenda.add(.push, device.number, at: now + uniform(0...3 * .second))
            }
        }

        func open(_ device: Device) throws {
            guard !device.isLost else { return }
            try record(1, on: device)
            try deliverAtStart(device)
        }

        private func deliverAtStart(_ device: Device) throws {
            device.activeUntil = device.runsAlways ? .max : now + 2 * .minute
            try checkLog(of: device)
            prune(device)
            try deliver(device)
        }

        private func record(_ count: Int64, on device: Device) throws {
            guard count > 0 else { return }
            let (install, branch) = (device.install, device.install.branches[Int(device.branch)])
            if branch.last == branch.base {
                let highest = install.branches.map(\.last).max() ?? 0
                try check(
                    install.isCopied || install.branches.count == 1 || branch.base >= highest, .newInstallIsNew,
                    install,
                    "device \(device.number) begins after \(branch.base), but \(highest) numbers are used")
            }
            let seqs = device.last + 1...device.last + count
            device.log.append(Piece(seqs: seqs, branch: device.branch, recordedAt: now, clockError: device.clockError))
            device.last = seqs.upperBound
            branch.last = seqs.upperBound
            statistics.events += count
            try enforceLimit(of: device)
        }

        /// Checks that the log has each event that was not acknowledged, or the reason why it does not.
        private func checkLog(of device: Device) throws {
            var count: Int64 = 0
            for piece in device.log[device.piece(from: device.confirmed + 1)...] {
                count += piece.seqs.upperBound - max(device.confirmed, piece.seqs.lowerBound - 1)
            }
            for absent in device.discards(after: device.confirmed) { count += absent.seqs.length }
            try check(
                count == device.last - device.confirmed, .deviceKeepsEvents, device.install,
                "device \(device.number) accounts for \(count) of \(device.last - device.confirmed) events after "
                    + "\(device.confirmed)")
        }

        /// Removes delivered lines that are too old. Mirrors `Retention.maximumAge`.
        private func prune(_ device: Device) {
            guard let oldest = device.log.first, oldest.recordedAt < now - Self.retention else { return }
            let limit = min(device.cursor, device.confirmed)
            let count =
                device.log.firstIndex { $0.seqs.upperBound > limit || $0.recordedAt >= now - Self.retention }
                ?? device.log.count
            device.log.removeFirst(count)
            if !device.discarded.isEmpty, let first = device.log.first {
                device.discarded.removeAll { $0.seqs.upperBound < min(first.seqs.lowerBound, limit) }
            }
        }

        /// Discards the oldest waiting lines of a log that is too large. Mirrors `Retention.hardMaximumBytes`.
        private func enforceLimit(of device: Device) throws {
            guard device.last - device.cursor > device.logLimit, device.request == 0, device.cursor >= device.confirmed
            else { return }
            let waiting = device.waiting(after: device.cursor)
            let excess = waiting.reduce(0) { $0 + $1.seqs.length } - device.logLimit
            if excess > 0 { try discard(waiting, first: excess, .dropped, of: device) }
        }

        private func discard(_ lines: [Piece], first count: Int64, _ fate: NumberFate, of device: Device) throws {
            var left = count
            for piece in lines where left > 0 {
                let seqs = piece.seqs.lowerBound...min(piece.seqs.upperBound, piece.seqs.lowerBound + left - 1)
                left -= seqs.length
                device.discarded.append(.init(seqs, fate))
                let branch = device.install.branches[Int(piece.branch)]
                branch.discarded = try ranges.union(branch.discarded, [seqs])
            }
            let end = lines.reduce((left: count, end: Int64(0))) { state, piece in
                state.left > 0
                    ? (
                        state.left - piece.seqs.length,
                        min(piece.seqs.upperBound, piece.seqs.lowerBound + state.left - 1)
                    )
                    : state
            }.end
            let index = device.piece(from: end + 1)
            let kept = device.log[index...].compactMap { $0.clamped(to: end + 1...max(end + 1, device.last)) }
            // The delivered lines stay; those in between are gone.
            let delivered = device.log[..<device.piece(from: device.cursor + 1)]
            device.log = delivered + kept.filter { $0.seqs.lowerBound > end }
            device.discarded.sort { $0.seqs.lowerBound < $1.seqs.lowerBound }
            device.sealed = nil
        }

        // MARK: Life

        private func live(_ device: Device) throws {
            while let next = device.lifeEvents.first, next.time <= now, !device.isLost {
                device.lifeEvents.removeFirst()
                switch next.event {
                case .clockJump(let jump):
                    device.clockError += jump
                    statistics.clockJumps += 1
                case .reinstall: reinstall(device)
                case .clone(let hasOtherSecret): clone(device, hasOtherSecret)
                case .backUp: device.backup = device.copy(number: device.number)
                case .restore: restore(device)
                case .vanish:
                    lose(device, after: device.cursor)
                    device.isLost = true
                case .erase:
                    guard device.request == 0, device.cursor >= device.confirmed else { continue }
                    let waiting = device.waiting(after: device.cursor)
                    let count = waiting.reduce(0) { $0 + $1.seqs.length }
                    if count > 0 { try discard(waiting, first: count, .erased, of: device) }
                }
            }
        }

        /// Notes that undelivered events are lost with the log.
        private func lose(_ device: Device, after seq: Int64) {
            for piece in device.waiting(after: seq) {
                let branch = device.install.branches[Int(piece.branch)]
                branch.lost = NumberRanges.union(branch.lost + [piece.seqs])
            }
            device.request = 0
        }

        private func reinstall(_ device: Device) {
            lose(device, after: device.cursor)
            statistics.reinstalls += 1
            let install = fault == .reusedInstall ? device.install : makeInstall()
            startLog(of: device, install)
        }

        private func startLog(of device: Device, _ install: Install) {
            (device.install, device.branch, device.secret) = (install, begin(install, after: 0), secret())
            (device.last, device.cursor, device.confirmed) = (0, 0, 0)
            (device.log, device.discarded, device.sealed) = ([], [], nil)
            (device.wanted, device.served) = (nil, [])
            (device.failures, device.pausedUntil) = (0, 0)
        }

        private func clone(_ device: Device, _ hasOtherSecret: Bool) {
            device.install.isCopied = true
            let clone = device.copy(number: devices.count)
            clone.branch = begin(clone.install, after: clone.last)
            if hasOtherSecret {
                clone.secret = secret()
                clone.sealed = nil
                statistics.otherSecrets += 1
            }
            add(clone)
            statistics.clones += 1
        }

        private func restore(_ device: Device) {
            guard let backup = device.backup else { return }
            let isSame = device.install === backup.install
            lose(device, after: isSame ? max(device.cursor, backup.last) : device.cursor)
            device.takeLog(of: backup)
            device.backup = nil
            device.install.isCopied = true
            device.branch = begin(device.install, after: device.last)
            statistics.restores += 1
        }

        // MARK: Delivering

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

        // MARK: Answers

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
#endif
