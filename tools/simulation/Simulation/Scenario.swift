import Primitives

/// The size of a run.
struct Settings: Sendable {
    var installs = 100_000
    var days = 30
    var eventsPerDay = 20.0
    var seed: UInt64 = 1
    var collectors = 3
    var partitions = 16
    var fault: Fault?
}

/// The outages of a run. All partitions have the same.
struct Scenario: Sendable {
    struct Window: Sendable {
        var start: Microseconds
        var end: Microseconds
    }

    /// When each collector is down.
    var collectorsDown: [[Window]]
    /// When each collector cannot reach the stream.
    var collectorsCutOff: [[Window]]
    /// When the stream has no majority.
    var streamDown: [Window]
    /// When the loaders are down.
    var loaderDown: [Window]
    /// When all collectors are down. Included in ``collectorsDown``.
    var allDown: [Window]
    /// When push notifications make devices start a session.
    var pushes: [Microseconds]
    /// The end of recording.
    var end: Microseconds
    /// The end of the run: what is on the way arrives before it.
    var drained: Microseconds { end + 2 * .hour }

    init(_ settings: Settings) {
        let length = Int64(settings.days) * .day
        var random = SplitMix64(seed: SplitMix64.mixed(settings.seed ^ 0x5CE7_A210))
        func at(percent: Int64) -> Microseconds { .start + length / 100 * percent }
        func window(percent: Int64, _ duration: Microseconds) -> Window {
            Window(start: at(percent: percent), end: at(percent: percent) + duration)
        }
        end = .start + length
        allDown = [window(percent: 37, 3 * .hour), window(percent: 78, .hour)]
        // Early in the outage, so that the waits of all devices have become long at its end.
        pushes = allDown.map { $0.start + ($0.end - $0.start) / 4 }
        streamDown = [window(percent: 50, .day)]
        loaderDown = [window(percent: 66, 6 * .hour)]
        (collectorsDown, collectorsCutOff) = ([], [])
        for collector in 0..<settings.collectors {
            var down = allDown
            if collector == 0 { down.append(window(percent: 12, .hour)) }
            // Restarts of some minutes, every third day.
            for _ in 0..<max(1, settings.days / 3) {
                let start = .start + Int64(random.below(UInt64(length * 9 / 10)))
                let new = Window(start: start, end: start + .minute + Int64(random.below(UInt64(4 * .minute))))
                if !down.contains(where: { $0.start <= new.end && new.start <= $0.end }) { down.append(new) }
            }
            collectorsDown.append(down.sorted { $0.start < $1.start })
            collectorsCutOff.append(collector == 1 ? [window(percent: 22, 26 * .hour)] : [])
        }
        for _ in 0..<settings.days {
            let start = .start + Int64(random.below(UInt64(length * 9 / 10)))
            let new = Window(start: start, end: start + .minute)
            if !loaderDown.contains(where: { $0.start <= new.end && new.start <= $0.end }) { loaderDown.append(new) }
        }
        loaderDown.sort { $0.start < $1.start }
    }
}

/// Looks up windows of a list in order of time.
struct WindowCursor {
    private let windows: [Scenario.Window]
    private var index = 0

    init(_ windows: [Scenario.Window]) { self.windows = windows }

    /// The end of the outage at a time that never decreases; nil outside outages.
    mutating func end(at time: Microseconds) -> Microseconds? {
        while index < windows.count, windows[index].end <= time { index += 1 }
        guard index < windows.count, windows[index].start <= time else { return nil }
        return windows[index].end
    }

    /// The end of the last outage before a time that never decreases.
    mutating func upSince(at time: Microseconds) -> Microseconds {
        _ = end(at: time)
        return index > 0 ? windows[index - 1].end : .start
    }
}
