import DeliveryProtocol
import Foundation
import Primitives
import StreamClient

extension PartitionSimulation {
    /// How long a log keeps delivered lines. The SDK's default is 30 days; shorter times make requests for lines that the
    /// device no longer has possible.
    static let retention = 7 * Microseconds.day

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
            if happens(0.1) { device.logLimit = 20 + Int64(random.below(UInt64(80))) }
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
        some(0.03, .clone(hasOtherSecret: happens(0.2)))
        if happens(0.02) {
            let backUp = uniform(.start + .hour...scenario.end)
            device.lifeEvents.append((backUp, .backUp))
            device.lifeEvents.append((uniform(backUp...scenario.end), .restore))
        }
        some(0.02, .vanish)
        some(0.03, .erase)
        device.lifeEvents.sort { $0.time < $1.time }
    }

    /// From hours to years, in both directions.
    private func clockJump() -> Int64 {
        let size = exp(uniform() * log(20_000.0)) * Double(Int64.hour)
        return happens(0.5) ? Int64(size) : -Int64(size)
    }

    func makeInstall() -> Install {
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

    func startLog(of device: Device, _ install: Install) {
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
}
