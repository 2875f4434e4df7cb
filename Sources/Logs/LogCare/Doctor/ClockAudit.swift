internal import EventLog
internal import EventModel

/// Follows times that should rise, and not lie ahead of the clock here.
struct ClockAudit {
    private let limit: Duration
    private let latest: EventTime
    private var last: EventTime?
    /// How often time went back by more than the limit.
    private(set) var jumps: Int64 = 0
    private(set) var firstJump: Int64?
    /// The largest step back, in microseconds.
    private(set) var largest: Int64 = 0
    /// Events of the future.
    private(set) var ahead: Int64 = 0
    private(set) var firstAhead: Int64?

    init(_ options: DoctorOptions) {
        limit = options.clockJump
        latest = options.now.advanced(by: options.clockJump)
    }

    /// Takes the next event's time.
    mutating func add(_ time: EventTime, seq: Int64) {
        if let last, last.duration(since: time) > limit {
            jumps += 1
            firstJump = firstJump ?? seq
            largest = max(largest, last.microseconds &- time.microseconds)
        }
        last = time
        guard time > latest else { return }
        ahead += 1
        firstAhead = firstAhead ?? seq
    }

    /// What was found about the events of a place.
    func findings(_ check: Check, _ place: String) -> [Finding] {
        var findings: [Finding] = []
        if let firstJump {
            findings.append(
                Finding(
                    check, .note, place,
                    "time went back \(jumps) time\(jumps == 1 ? "" : "s"), first at event \(firstJump), at most by "
                        + "\(largest / 1_000_000) s",
                    advice: "order by seq, not by time: the device's clock was set back between these events",
                    numbers: ["jumps": jumps, "first_seq": firstJump, "largest_us": largest]))
        }
        if let firstAhead {
            findings.append(
                Finding(
                    check, .warning, place,
                    "\(ahead) event\(ahead == 1 ? " is" : "s are") of the future, first \(firstAhead)",
                    advice: "compare this machine's clock; if it is right, the device's was ahead: such events are "
                        + "pruned by age too late",
                    numbers: ["ahead": ahead, "first_seq": firstAhead]))
        }
        return findings.isEmpty ? [Finding(check, .ok, place, "no jump")] : findings
    }
}
