internal import Foundation

/// A reading of the system's boot clock: it also advances while the device sleeps, and nothing can set it.
public struct BootTime: Codable, Hashable, Sendable {
    /// Identifies the start of the system. Readings of different starts can't be compared. Empty if it is unknown.
    public let boot: String
    /// Microseconds since the system started.
    public let microseconds: Int64

    /// Makes a reading.
    public init(boot: String, microseconds: Int64) {
        self.boot = boot
        self.microseconds = microseconds
    }

    /// The time since an earlier reading; nil if the system has started since then, or that is unknown.
    public func duration(since other: BootTime) -> Duration? {
        guard !boot.isEmpty, boot == other.boot else { return nil }
        return .microseconds(microseconds - other.microseconds)
    }

    /// Reads the clock. Needs some 30 ns.
    public static var now: BootTime {
        var time = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return BootTime(
            boot: currentBoot, microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// The id of the system's present start; empty if it can't be read.
    package static let currentBoot: String = {
        #if canImport(Darwin)
            var text = [CChar](repeating: 0, count: 64)
            var size = text.count - 1
            guard sysctlbyname("kern.bootsessionuuid", &text, &size, nil, 0) == 0 else { return "" }
            return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        #else
            let text = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id") ?? Data()
            return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        #endif
    }()
}

/// A wall clock and the boot clock, read together.
public struct ClockReading: Hashable, Sendable {
    /// The wall clock: a person, or a time server, may set it.
    public let time: EventTime
    /// The boot clock.
    public let sinceBoot: BootTime

    /// Reads the system's clocks.
    package static var now: ClockReading { ClockReading(time: .now, sinceBoot: .now) }

    /// Makes a reading.
    public init(time: EventTime, sinceBoot: BootTime) {
        self.time = time
        self.sinceBoot = sinceBoot
    }

    /// The time that has passed since an earlier reading, at least 0. Measured by the boot clock; after a restart of the
    /// system by the wall clock.
    public func elapsed(since earlier: ClockReading) -> Duration {
        max(.zero, sinceBoot.duration(since: earlier.sinceBoot) ?? time.duration(since: earlier.time))
    }
}
