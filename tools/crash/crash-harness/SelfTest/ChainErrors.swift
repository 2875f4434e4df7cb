import CrashSupport
import EventModel
import Foundation
internal import Primitives
import TrackingCore

/// The events of three users, which `ChainAudit` finds correct, and errors that it must report.
struct ChainErrors {
    private static let plain = Person(run: 1, number: 0)
    private static let answering = Person(run: 1, number: 1)
    private static let leaving = Person(run: 1, number: 2)

    private var people: [Person: PersonRecord] = [:]
    private var lines: [String] = []
    /// A marker of the user who has left, and one that was sent after a denial.
    private let left: PersonMarker
    private let denied: PersonMarker

    init() {
        var random = SplitMix64(seed: 1)
        func draw(_ person: Person, _ number: Int) -> PersonMarker {
            PersonMarker(person, number: number, using: &random)
        }
        (left, denied) = (draw(Self.leaving, 1), draw(Self.answering, 2))
        for (seq, number) in zip(Int64(1)..., [3, 4, 32]) {
            let marker = draw(Self.plain, number)
            send(marker, .numbered(seq))
            lines.append(Self.line(marker, seq: seq))
        }
        send(left, .numbered(4))
        people[Self.leaving]?.began("erase")
        people[Self.leaving]?.returned("erase")
        people[Self.answering] = PersonRecord()
        people[Self.answering]?.began("denied")
        people[Self.answering]?.returned("denied")
        send(denied, .dropped)
    }

    private mutating func send(_ marker: PersonMarker, _ outcome: PersonRecord.Outcome) {
        people[marker.person, default: PersonRecord()].began(sending: marker)
        people[marker.person]?.sent(marker, outcome)
    }

    private static func line(_ marker: PersonMarker, seq: Int64) -> String {
        let markers = Array(repeating: "\"\(marker)\"", count: marker.number.isMultiple(of: 32) ? 100 : 1)
        let id = "0165cda1-a318-7000-8000-00000000000\(seq)"
        return """
            {"v":1,"id":"\(id)","install_id":"00000001-0000-4000-8000-000000000001","seq":\(seq),\
            "session_id":"00000000-0000-4000-8000-000000000002","user_id":"\(marker.person)","time":1536753247,\
            "schema":"crash-person/1-0-0","event":{"name":"crash-person","value":{"markers":\
            [\(markers.joined(separator: ","))]}}}
            """
    }

    /// The findings without an error, whose expected kind is nil, and with each error.
    ///
    /// - Parameter folder: An empty folder for files that are searched.
    func results(in folder: String) throws -> [(name: String, expected: Fault?, found: Findings)] {
        var results: [(name: String, expected: Fault?, found: Findings)] = []
        func add(
            _ name: String, _ expected: Fault?, log: [String]? = nil, stage: [String]? = nil,
            people: [Person: PersonRecord]? = nil, files: String = "", isCompressed: Bool = false
        ) throws {
            let records = try (log ?? lines).map { line in
                let container = try RecordedContainer(line: Array(line.utf8))
                return EventRecord(
                    seq: container.seq, id: container.id, time: container.time, name: container.name,
                    line: container.line)
            }
            var audit = ChainAudit(records, people: people ?? self.people)
            audit.compare((stage ?? log ?? lines).map { Array($0.utf8) }, of: "stage")
            let path = folder + "/file"
            try Data((lines.joined(separator: "\n") + files).utf8).write(to: URL(fileURLWithPath: path))
            if isCompressed {
                let end = try Child("/usr/bin/gzip", ["-f", path], errors: "/dev/null").wait(seconds: 10)
                guard end == .exited(0) else { throw HarnessError("cannot run gzip") }
            }
            audit.check(try PersonSearch([folder]))
            for suffix in ["", ".gz"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.removeItem(atPath: path + suffix)
            }
            results.append((name, expected, audit.findings))
        }
        try add("valid chain", nil)
        try add("required event missing", .lost, log: Array(lines.dropFirst()))
        try add("erased event in the log", .keptThoughErased, log: lines + [Self.line(left, seq: 4)])
        try add("denied event in the log", .keptThoughDenied, log: lines + [Self.line(denied, seq: 5)])
        let foreign = lines.map { $0.replacing("\"user_id\":\"\(Self.plain)", with: "\"user_id\":\"x") }
        try add("user of an event changed", .wrongPerson, log: foreign)
        try add("marker changed", .altered, log: lines.map { $0.replacing("0000-3-", with: "0000-3x") })
        try add("line missing", .lost, stage: Array(lines.dropLast()))
        try add("line twice", .doubled, stage: lines + [lines[0]])
        try add("byte altered", .altered, stage: lines.map { $0.replacing(":1536753247", with: ":1536753248") })
        try add("line of an erased user", .invented, stage: lines + [Self.line(left, seq: 4)])
        try add("line torn", .unreadable, stage: lines + [String(lines[0].dropLast(40))])
        try add("marker of an erased user in a file", .keptThoughErased, files: "\(left)")
        try add("the same in a compressed file", .keptThoughErased, files: "\(left)", isCompressed: true)
        try add("id of an erased user in a file", .keptThoughErased, files: "\(Self.leaving)")
        try add("denied event in a file", .keptThoughDenied, files: "\(denied)")
        var other = self
        other.send(denied, .numbered(9))
        try add("event accepted after a denial", .wrongConsent, people: other.people)
        other = self
        var random = SplitMix64(seed: 2)
        other.send(PersonMarker(Self.plain, number: 5, using: &random), .dropped)
        try add("event dropped without a denial", .wrongConsent, people: other.people)
        return results
    }
}
