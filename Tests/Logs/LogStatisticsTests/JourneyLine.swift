import LogStatistics

/// One container's line, with the members that journeys use.
struct JourneyLine {
    var user = "u"
    var session = "s"
    /// Since 1970, in seconds.
    var second: Int64 = 0
    var name = "launch"

    var text: String {
        """
        {"install_id":"i","seq":1,"session_id":"\(session)","user_id":"\(user)","time":\(second),\
        "event":{"name":"\(name)"}}
        """
    }
}

extension Journeys {
    /// The journeys of these lines, from parts of this many lines each.
    static func of(_ lines: [JourneyLine], funnels: [FunnelPlan] = [], linesPerPart: Int = 7) throws -> Journeys {
        let counter = JourneyCounter(funnels)
        var journeys = Journeys(funnels)
        for (index, line) in lines.enumerated() {
            try Array(line.text.utf8).withUnsafeBytes { try counter.add($0) }
            if (index + 1).isMultiple(of: linesPerPart) { journeys.add(counter.takePart()) }
        }
        journeys.add(counter.takePart())
        return journeys
    }
}
