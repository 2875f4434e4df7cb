import EventModel
import Testing

@testable import LogMaintenance

@Suite("A series of files")
struct SeriesAuditTests {
    @Test("Events of installs beyond the limit are only counted, and this is reported")
    func manyInstalls() throws {
        var audit = SeriesAudit(DoctorOptions(now: EventTime(seconds: 0)), accounts: [:])
        let file = try #require(LineFile(path: "/logs/events.jsonl"))
        for number in 0..<SeriesAudit.followedInstalls + 3 {
            let line = """
                {"id":"018f3c00-0000-7000-8000-000000000001","install_id":"install-\(number)","seq":1,"time":0,\
                "event":{"name":"launch"}}
                """
            audit.add(try RecordedContainer(line: Array(line.utf8)), in: file)
        }
        let findings = audit.findings
        #expect(findings.count == 3)
        #expect(findings.dropLast().allSatisfy { $0.severity == .ok })
        #expect(findings.last?.severity == .note && findings.last?.numbers == ["unfollowed": 3])
    }
}
