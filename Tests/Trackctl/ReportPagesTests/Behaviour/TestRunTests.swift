import JSONLines
import ReportPages
import Testing

@Suite("Reading a run of tests")
struct TestRunTests {
    @Test(
        "a line that is not a record is rejected",
        arguments: [
            "{}", "[]", "7", #"{"kind":"event","payload":{}}"#, #"{"version":0,"kind":7,"payload":{}}"#,
            #"{"version":0,"kind":"test","payload":{}}"#, #"{"version":0,"kind":"test","payload":{"id":"A.b"}}"#,
            #"{"version":0,"kind":"test","payload":{"id":"","name":"a","sourceLocation":{"fileID":"a","line":1,"column":1}}}"#,
            #"{"version":0,"kind":"test","payload":{"id":"/","name":"a","sourceLocation":{"fileID":"a","line":1,"column":1}}}"#,
        ])
    func noRecord(line: String) { expect(.notAStream, [line]) }

    @Test(
        "another version is rejected",
        arguments: [#"{"version":1,"kind":"event","payload":{}}"#, #"{"version":"7.0.0","kind":"event","payload":{}}"#])
    func otherVersion(line: String) { expect(.otherVersion, [line]) }

    @Test("a stream without its end is rejected, and so is one without a line")
    func unfinished() throws {
        expect(.empty, [])
        let lines = try RecordedRun.lines(RecordedRun.version0)
        for count in 1..<lines.count { expect(.unfinished, Array(lines.prefix(count))) }
    }

    @Test("unknown kinds of records and events are ignored")
    func unknownKinds() throws {
        let lines = try RecordedRun.lines(RecordedRun.version0)
        let more = [
            #"{"version":0,"kind":"weather","payload":"rain"}"#,
            #"{"version":0,"kind":"event","payload":{"kind":"testWeighed","testID":"ShopTests.free()/BasketTests.swift:51:2"}}"#,
        ]
        #expect(try RecordedRun.page(more + lines) == RecordedRun.page(lines))
    }

    @Test("several streams are one page")
    func several() throws {
        let lines = try RecordedRun.lines(RecordedRun.version0)
        let tests = lines.filter { $0.contains(#""kind":"test""#) }
        let ends = [#"{"version":0,"kind":"event","payload":{"kind":"runEnded","messages":[]}}"#]
        var run = TestRun()
        for part in [lines, tests.reversed() + ends] {
            for line in part { try run.add(JSONParser.parse(line.utf8)) }
            try run.endStream()
        }
        #expect(try run.targets() == RecordedRun.read(lines).targets())
    }

    private func expect(_ reason: TestRunError.Reason, _ lines: [String], _ location: SourceLocation = #_sourceLocation)
    {
        let error = #expect(throws: TestRunError.self, sourceLocation: location) { try RecordedRun.read(lines) }
        #expect(error?.reason == reason, sourceLocation: location)
    }
}
