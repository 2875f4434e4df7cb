internal import EventLog
internal import EventModel
internal import Foundation

/// Finds the step of time that a second is in, by the clocks and the calendar of a time zone.
struct StepClock: Sendable {
    /// The second that a step begins with.
    struct Start: Hashable, Sendable {
        /// Since 1970.
        let second: Int64
        /// What the clocks of the zone show then, as seconds since 1970 of a clock without a zone.
        let local: Int64
    }

    /// No zone changes its clocks within a quarter of an hour that begins at a multiple of its length, but before 1970.
    private static let block: Int64 = 900

    private let step: TimeSteps.Step
    /// Nil for UTC, whose clocks show what seconds say.
    private let zone: TimeZone?
    private var lastOffset: (block: Int64, seconds: Int64)?

    init(_ step: TimeSteps.Step, zone: TimeZone?) {
        self.step = step
        self.zone = zone
    }

    mutating func start(of second: Int64) -> Start {
        let offset = offset(at: second)
        let local = second + offset
        let day: Int64 = 86_400
        switch step {
        case .minute, .hour:
            // An hour that comes twice, when clocks are set back, is two steps.
            let start = Self.floor(local, to: step == .minute ? 60 : 3600)
            return Start(second: start - offset, local: start)
        case .day: return begin(Self.floor(local, to: day))
        case .week: return begin(Self.floor(local - ClockHistogram.origin, to: 7 * day) + ClockHistogram.origin)
        case .month:
            let start = Self.floor(local, to: day)
            return begin(start - (CalendarDate(days: start / day).day - 1) * day)
        }
    }

    /// The step that begins when clocks show this; where they are set forward over it, with what they show next.
    private mutating func begin(_ local: Int64) -> Start {
        let near = local - offset(at: local)
        let start = local - offset(at: near)
        return Start(second: start + offset(at: start) < local ? max(near, start) : start, local: local)
    }

    /// How many seconds the clocks are ahead of UTC.
    private mutating func offset(at second: Int64) -> Int64 {
        guard let zone else { return 0 }
        let block = TimeHistogram.floorDivide(second, Self.block)
        if let lastOffset, lastOffset.block == block { return lastOffset.seconds }
        let seconds = Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
        lastOffset = (block, seconds)
        return seconds
    }

    private static func floor(_ second: Int64, to length: Int64) -> Int64 {
        TimeHistogram.floorDivide(second, length) * length
    }
}
