import CommandRunner
import Foundation
import Testing

@Suite("trackctl assert")
struct TrackctlAssertTests {
    private let folder: TrackctlFolder
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardized.path

    init() throws { folder = try TrackctlFolder() }

    private var lines: [PlannedLine] {
        [PlannedLine(), .search("flux"), .search("grdb", page: "2"), PlannedLine(name: "background")].enumerated()
            .map { location, line in
                var line = line
                line.seq = location + 1
                return line
            }
    }

    private func check(_ spec: String, _ lines: [PlannedLine]? = nil, _ options: String...) async throws
        -> CommandResult
    {
        let input = try folder.file("a.jsonl", (lines ?? self.lines).text)
        return try await trackctl(
            ["assert", try folder.file("spec.json", spec), input, "--schemas", "\(Self.package)/Schemas"] + options)
    }

    /// Checks one expectation.
    private func check(one expectation: String, _ lines: [PlannedLine]? = nil) async throws -> CommandResult {
        try await check(#"{"expectations": {"it": \#(expectation)}}"#, lines)
    }

    @Test("The example of the manual passes with a log that matches it")
    func manual() async throws {
        let manual = try String(
            contentsOfFile: "\(Self.package)/Sources/Trackctl/TrackctlCommands/Trackctl.docc/Assert.md", encoding: .utf8
        )
        let example = try #require(
            manual.components(separatedBy: "```json\n").last?.components(separatedBy: "```").first)
        let met = try await check(example)
        #expect(met.lines.count == 6 && met.lines.allSatisfy { $0.hasPrefix("ok      ") } && met.exitCode == 0)
        let failed = try await check(example, Array(lines.dropFirst()))
        #expect(failed.exitCode == 1)
        #expect(failed.lines.count { $0.hasPrefix("FAILED  ") } == 2)
    }

    @Test(
        "Expectations that pass and fail, with the nearest line",
        arguments: [
            (#"{"match": {"event": {"name": "search"}}}"#, "ok      it: 2 lines"),
            (#"{"where": "seq > 2", "count": 2}"#, "ok      it: 2 lines"),
            (#"{"where": "seq > 9"}"#, "FAILED  it: expected at least 1 line, found none"),
            (#"{"count": {"max": 2}}"#, "FAILED  it: expected at most 2 lines, found 4 lines; nearest line FILE:3"),
            (
                #"{"count": {"min": 5, "max": 6}}"#,
                "FAILED  it: expected 5 to 6 lines, found 4 lines; nearest line FILE:4"
            ),
            (
                #"{"match": {"event": {"value": {"page": 2.0}}}, "none": true}"#,
                "FAILED  it: expected none, found 1 line; nearest line FILE:3"
            ),
            (#"{"sequence": [{"seq": 1}, {"seq": 3}]}"#, "ok      it: all"),
            (
                #"{"sequence": [{"seq": 3}, {"seq": 1}]}"#,
                "FAILED  it: expected 2 steps in this order, found the first 1; nearest line FILE:3"
            ),
            (#"{"sequence": [{"seq": 9}]}"#, "FAILED  it: expected 1 step in this order, found the first 0"),
            (#"{"valid": true}"#, "ok      it: 4 lines, all valid"),
            (#"{"gaps": false}"#, "ok      it: 0 numbers missing"),
        ])
    func verdicts(expectation: String, line: String) async throws {
        let result = try await check(one: expectation)
        #expect(result.lines == [line.replacing("FILE", with: folder("a.jsonl"))])
        #expect(result.exitCode == (line.hasPrefix("ok") ? 0 : 1) && result.stderr.isEmpty)
    }

    @Test("Invalid lines and missing numbers are found")
    func issues() async throws {
        var odd = lines
        odd[2] = .search("", page: "0")
        odd[2].seq = 9
        let valid = try await check(one: #"{"valid": true}"#, odd)
        #expect(
            valid.lines == [
                "FAILED  it: expected at least one line, all valid, found 1 of 4 lines invalid; nearest line \(folder("a.jsonl")):3"
            ])
        let gaps = try await check(one: #"{"gaps": false}"#, odd)
        for nothing in [#"{"valid": true}"#, #"{"gaps": false}"#] {
            let result = try await check(one: nothing, [])
            #expect(result.text.hasSuffix("found no lines\n") && result.exitCode == 1)
        }
        #expect(gaps.lines == ["FAILED  it: expected lines without gaps, found 5 numbers missing"])
    }

    @Test(
        "A line that cannot be parsed is reported if an expectation needs its value; other expectations still read it",
        arguments: ["007", "1e400"])
    func unparsable(number: String) async throws {
        let odd = lines + [.search("flux", page: number)]
        let location = "\(folder("a.jsonl")):5:"
        for blind in [
            #"{"match": {"event": {"name": "search", "value": {"page": 7}}}, "none": true}"#,
            #"{"sequence": [{"event": {"name": "launch"}}, {"event": {"name": "other"}}]}"#,
        ] {
            let result = try await check(one: blind, odd)
            #expect(result.exitCode == 65 && result.stderr.hasPrefix(location), "\(result.stderr)")
        }
        let both = #"{"a": {"match": {"seq": 9}, "none": true}, "b": {"where": "event.name == 'search'", "count": 3}}"#
        let result = try await check(#"{"expectations": \#(both)}"#, odd)
        #expect(result.lines == ["ok      a: none", "ok      b: 3 lines"] && result.exitCode == 65)
        #expect(result.stderr.split(separator: "\n").count == 2 && result.stderr.hasPrefix(location))
        // No expectation needs its value.
        let seen = try await check(one: #"{"where": "event.name == 'search'", "none": true}"#, odd)
        #expect(seen.exitCode == 1 && seen.stderr.isEmpty && seen.text.contains("found 3 lines"))
    }

    @Test("Of several equally near lines, the first one is reported, in every run")
    func nearest() async throws {
        let inputs = try (1...12).map { number in
            try folder.file(
                "\(number).jsonl", [TrackctlLine].launches(1...2).map { $0.by("user-\(number)-\($0.seq)") }.text)
        }
        let spec = try folder.file(
            "spec.json", #"{"expectations": {"it": {"sequence": [{"v": 1}, {"v": 2}], "by": "user_id"}}}"#)
        for inputs in [inputs, inputs.reversed()] {
            let result = try await trackctl(["assert", spec] + inputs)
            #expect(result.text.hasSuffix("found 0 complete of 24; nearest line \(inputs[0]):1\n"))
            #expect(result.exitCode == 1)
        }
    }

    @Test("A sequence within each user must be complete for every user that begins it")
    func groups() async throws {
        let users = [TrackctlLine].alternating(1...6, "even", "odd")
        let input = try folder.file("b.jsonl", users.text)
        func result(_ last: Int) async throws -> CommandResult {
            let steps = #"[{"event": {"name": "launch"}}, {"seq": \#(last)}]"#
            let spec = try folder.file(
                "spec.json", #"{"expectations": {"it": {"sequence": \#(steps), "by": "user_id", "where": "seq > 2"}}}"#)
            return try await trackctl(["assert", spec, input])
        }
        let half = try await result(6)
        #expect(half.exitCode == 1)
        #expect(
            half.text.contains("for each user_id that has the first, found 1 complete of 2; nearest line \(input):3"))
    }

    @Test("Short forms, and the machine-readable formats")
    func formats() async throws {
        let input = try folder.file("a.jsonl", lines.text)
        func run(_ options: String...) async throws -> CommandResult {
            try await trackctl(["assert", input] + options)
        }
        #expect(try await run("-e", "sea* == 2", "-e", "launch > 0", "-e", "crash < 1").exitCode == 0)
        let failed = try await run("-e", "search <= 1", "--format", "json")
        #expect(failed.exitCode == 1)
        #expect(
            failed.text == #"{"expectations":[{"expected":"at most 1 line","found":"2 lines","input":"\#(input)","#
                + #""line":3,"name":"search <= 1","ok":false}],"lines":4,"ok":false}"# + "\n")
        let junit = try await run("-e", "search <= 1", "-e", "a == 0", "--format", "junit")
        #expect(junit.text.contains(#"<testsuite name="trackctl assert" tests="2" failures="1">"#))
        #expect(junit.text.contains(#"message="expected at most 1 line, found 2 lines">\#(input):3</failure>"#))
        for wrong in ["search", ">= 1", "search >= x", "search >= -1", "search < 0"] {
            #expect(try await run("-e", wrong).exitCode == 64)
        }
    }

    @Test(
        "An invalid spec is rejected with the location of the error",
        arguments: [
            ("{", "1:2"), ("[]", "1:1"), (#"{"expectations": {}}"#, "1:18"),
            ("{\"expectations\": {\n  \"a\": {\"cuont\": 1}}}", "2:18"),
            ("{\"expectations\": {\n  \"a\": {\"where\": \"event.nam == 1\"}}}", "2:18"),
            (#"{"expectations": {"a": {"count": -1}}}"#, "1:34"),
            (#"{"expectations": {"a": {"count": {"least": 1}}}}"#, "1:34"),
            (#"{"expectations": {"a": {"count": {"min": 2, "max": 1}}}}"#, "1:34"),
            (#"{"expectations": {"a": {"none": false}}}"#, "1:33"),
            (#"{"expectations": {"a": {"none": true, "valid": true}}}"#, "1:24"),
            (#"{"expectations": {"a": {"sequence": []}}}"#, "1:37"),
            (#"{"expectations": {"a": {"by": "user_id"}}}"#, "1:24"),
            (#"{"expectations": {"a": {"gaps": false, "where": "seq > 1"}}}"#, "1:24"),
            (#"{"expectations": {"a": 1}}"#, "1:24"), (#"{"expectations": {"a": {}, "a": {}}}"#, "1:28"),
        ])
    func wrongSpecs(spec: String, location: String) async throws {
        let result = try await check(spec)
        #expect(result.stderr.hasPrefix("trackctl: \(folder("spec.json")):\(location): "))
        #expect(result.exitCode == 65 && result.stdout.isEmpty)
    }

    @Test("An empty or missing spec, and no input, are errors")
    func missing() async throws {
        let empty = try await check("")
        #expect(empty.stderr.contains("spec.json is empty: write the spec to it") && empty.exitCode == 65)
        let input = try folder.file("a.jsonl", lines.text)
        #expect(try await trackctl(["assert", folder("none.json"), input]).exitCode == 66)
        #expect(try await trackctl(["assert", input]).exitCode == 64)
        let spec = try folder.file("spec.json", #"{"expectations": {"a": {}}}"#)
        #expect(try await trackctl(["assert", spec, folder("none.jsonl")]).exitCode == 66)
    }
}
