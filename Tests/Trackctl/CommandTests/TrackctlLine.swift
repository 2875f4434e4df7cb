import EventModel

/// One container's line, with few arguments.
struct TrackctlLine: Sendable {
    var install = "install-a"
    var seq: Int64
    var name = "launch"
    /// Microseconds after 2018-09-12T11:54:07Z.
    var microsecond: Int64
    var user: String
    /// Not in the line.
    var purpose = Purpose.analytics

    init(
        _ seq: Int64, _ name: String = "launch", install: String = "install-a", microsecond: Int64? = nil,
        user: String = "u"
    ) {
        self.seq = seq
        self.name = name
        self.install = install
        self.microsecond = microsecond ?? seq
        self.user = user
    }

    /// The id follows from the install and the number.
    var id: EventID {
        let salt = install.utf8.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
        return EventID(milliseconds: 1_536_753_247_000, counter: 0, random: salt << 32 | UInt64(seq) << 2)
    }

    /// Without the line feed.
    var text: String {
        let digits = String(microsecond)
        let decimals = String(repeating: "0", count: 6 - digits.count) + digits
        return """
            {"v":1,"id":"\(id)","install_id":"\(install)","seq":\(seq),"session_id":"s","user_id":"\(user)",\
            "time":1536753247.\(decimals),"schema":"\(name)/1-0-0","event":{"name":"\(name)"}}
            """
    }

    /// The same line of another user.
    func by(_ user: String) -> TrackctlLine {
        var line = self
        line.user = user
        return line
    }

    /// The same line, collected for a purpose.
    func collected(for purpose: Purpose) -> TrackctlLine {
        var line = self
        line.purpose = purpose
        return line
    }

    func record(seq: Int64) -> EventRecord {
        var line = self
        line.seq = seq
        return EventRecord(
            seq: seq, id: line.id, time: EventTime(microseconds: 1_536_753_247_000_000 + microsecond), name: name,
            line: Array(line.text.utf8), purpose: purpose)
    }
}

extension [TrackctlLine] {
    /// The text of a file of JSON lines.
    var text: String { map { "\($0.text)\n" }.joined() }

    /// The bytes of the lines, without their line feeds.
    var byteCount: Int { reduce(0) { $0 + $1.text.utf8.count } }

    /// Lines numbered by a range; the even ones are the first user's.
    static func alternating(_ seqs: ClosedRange<Int64>, _ even: String, _ odd: String) -> Self {
        seqs.map { TrackctlLine($0).by($0.isMultiple(of: 2) ? even : odd) }
    }

    /// Lines numbered by a range.
    static func launches(_ seqs: ClosedRange<Int64>, install: String = "install-a") -> Self {
        seqs.map { TrackctlLine($0, install: install) }
    }
}
