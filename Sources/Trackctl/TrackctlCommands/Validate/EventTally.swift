internal import TrackingPlan

/// How many lines an event has, and what was found in them.
struct EventTally {
    private(set) var lines = 0
    /// Lines with at least one finding.
    private(set) var invalid = 0
    /// Lines with at least one finding of that kind.
    private(set) var linesByKind: [LineFinding.Kind: Int] = [:]
    private(set) var span = TimeSpan()
    /// The first finding's.
    private(set) var sample: LinePlace?

    var valid: Int { lines - invalid }

    @inline(__always)
    mutating func addValid(at microseconds: Int64?) {
        lines += 1
        if let microseconds { span.add(microseconds) }
    }

    mutating func addInvalid(_ result: LineResult, at place: LinePlace) {
        lines += 1
        invalid += 1
        for kind in Set(result.findings.map(\.kind)) { linesByKind[kind, default: 0] += 1 }
        if let microseconds = result.microseconds { span.add(microseconds) }
        sample = sample ?? place
    }

    mutating func add(_ other: EventTally, after lines: Int = 0) {
        self.lines += other.lines
        invalid += other.invalid
        linesByKind.merge(other.linesByKind) { $0 + $1 }
        span.add(other.span)
        sample = sample ?? other.sample?.moved(by: lines)
    }
}
