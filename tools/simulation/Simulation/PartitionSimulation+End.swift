import StreamClient

extension PartitionSimulation {
    /// Checks at the end that each number is explained, as `trackctl reconcile` does.
    func finish() throws {
        for collector in collectors {
            try check(collector.pending.isEmpty, .explained, nil, "a collector still has messages")
        }
        try check(stream.waiting.isEmpty, .explained, nil, "the stream still has messages")
        let waiting = waitingNumbers()
        var lines: Int64 = 0
        for install in installs {
            try checkAcknowledged(install)
            lines += install.lines.count
            try checkExact(install.published ?? InstallVerdict(installID: install.id), install)
            for (index, branch) in install.branches.enumerated() {
                try explain(branch, index, install, waiting[Key(install: install.number, branch: index)] ?? [])
            }
            statistics.gapsOpen += Int64(install.missingSince.count)
        }
        let totals = try loader.totals()
        try check(
            totals.lines == lines && totals.forks == statistics.forks, .exactRegister, nil,
            "the register has \(totals.lines) lines and \(totals.forks) forks, the store \(lines) and \(statistics.forks)"
        )
        statistics.stateBytes = totals.bytes
        statistics.streamDuplicates = stream.duplicates
        statistics.loaderTime = loader.time
    }

    private struct Key: Hashable {
        var install: Int
        var branch: Int
    }

    /// The numbers that wait on devices.
    private func waitingNumbers() -> [Key: Ranges] {
        var waiting: [Key: Ranges] = [:]
        for device in devices where !device.isLost {
            for piece in device.waiting(after: device.cursor) {
                waiting[Key(install: device.install.number, branch: Int(piece.branch)), default: []].append(
                    piece.seqs)
            }
        }
        return waiting
    }

    private func explain(_ branch: Branch, _ index: Int, _ install: Install, _ waiting: Ranges) throws {
        guard branch.last > branch.base else { return }
        var explained = branch.stored
        statistics.stored += explained.count
        // Each number counts once: what is stored is not lost, too.
        func add(_ ranges: Ranges) -> Int64 { ranges.reduce(0) { $0 + explained.insert($1) } }
        statistics.rejected += add(branch.rejected)
        statistics.copiedAndStored += branch.moved.length
        let moved = add(branch.moved)
        statistics.moved += moved
        statistics.copiedAndStored -= moved
        statistics.discarded += add(branch.discarded)
        statistics.waiting += add(waiting)
        statistics.lost += add(branch.lost)
        let all = branch.base + 1...branch.last
        let unexplained = all.length - explained.count(in: all)
        try check(
            unexplained == 0, .explained, install,
            "\(unexplained) of \(all) of device \(index) are unexplained, first "
                + "\(all.first { !explained.contains($0) } ?? 0)")
    }
}
