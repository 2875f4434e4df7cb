import CommandRunner
import Foundation
import Testing

@Suite("trackctl import")
struct TrackctlImportTests {
    private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardized.path
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    private static let mapping = """
        {
          "install_id": "shop",
          "time": {"from": "at", "format": "ms"},
          "id": {"from": "key"},
          "user_id": {"from": "who"},
          "event": {"from": "kind"},
          "skip": [".test", ".event == 1"],
          "events": {
            "find": {
              "name": "search",
              "value": {"query": {"from": "words[0]"}, "page": {"from": "page", "as": "integer"}}
            },
            "open": {
              "name": "page-view",
              "value": {"page": {"template": "item-%{item}"}, "additional": {"from": "url", "optional": true}}
            }
          }
        }
        """

    private func run(_ lines: [String], mapping: String = Self.mapping, _ options: String...) async throws
        -> CommandResult
    {
        let input = try folder.file("a.jsonl", lines.map { $0 + "\n" }.joined())
        return try await trackctl(["import", input, "--mapping", try folder.file("map.json", mapping)] + options)
    }

    @Test("Paths, casts, templates and times become containers, numbered in their order")
    func containers() async throws {
        let id = "0165cddb-1e98-7000-8000-000000000001"
        let result = try await run([
            #"{"kind":"find","at":1536753247123,"who":"ann","key":"\#(id.uppercased())","words":["flux"],"page":"2"}"#,
            #"{"kind":"open","at":1536753248000,"who":7,"item":12}"#,
        ])
        #expect(result.exitCode == 0 && result.lines.count == 2)
        #expect(
            result.lines[0].hasPrefix(#"{"v":1,"id":"\#(id)","install_id":"shop","seq":1,"session_id":""#)
                && result.lines[0].hasSuffix(
                    #","user_id":"ann","time":1536753247.123,"schema":"search/1-0-0","event":{"name":"search","value":{"query":"flux","page":2}}}"#
                ))
        #expect(result.lines[1].contains(#""seq":2"#) && result.lines[1].contains(#""user_id":"7","time":1536753248,"#))
        #expect(result.lines[1].hasSuffix(#"{"name":"page-view","value":{"page":"item-12"}}}"#))
        #expect(result.stderr == "trackctl: 2 lines: 2 events: 2 kept, 0 renumbered, 0 known (skipped)\n")
        let valid = try await trackctl(["validate", "-", "--schemas", "\(Self.package)/Schemas"], stdin: result.stdout)
        #expect(valid.exitCode == 0)
    }

    @Test("Lines that become no event are counted by reason, without any of their content")
    func reasons() async throws {
        let find = #""kind":"find","words":["secret"],"page":1"#
        let result = try await run([
            #"{\#(find),"at":1,"who":"u","test":true}"#, #"{\#(find),"at":1,"who":"u","event":1}"#,
            #"{\#(find),"who":"u"}"#,
            #"{\#(find),"at":"secret","who":"u"}"#, #"{\#(find),"at":1}"#, #"{"kind":"secret","at":1,"who":"u"}"#,
            #"{"at":1,"who":"u"}"#, #"{"kind":"find","words":["a"],"page":"secret","at":1,"who":"u"}"#,
            #"{"kind":"find","page":1,"at":1,"who":"u"}"#,
            #"{"kind":"open","at":1,"who":"u","item":"\#(String(repeating: "x", count: 40000))"}"#,
            "secret", #"{\#(find),"at":1,"who":"u"}"#,
        ])
        #expect(result.lines.count == 1 && result.lines[0].contains(#""seq":1,"#) && result.exitCode == 65)
        #expect(!result.stderr.contains("secret"))
        for reason in [
            "2 lines without an event: skipped by a condition", "1 line without an event: time is missing",
            "1 line without an event: time does not have the format ms",
            "1 line without an event: user_id is missing or does not have 1 to 128 characters",
            "1 line without an event: event is not in the mapping", "1 line without an event: event is missing",
            "1 line without an event: value.page is not of type integer",
            "1 line without an event: value.query is missing",
            "1 line without an event: longer than 32 KiB", "1 malformed line",
        ] { #expect(result.stderr.contains("trackctl: \(reason)\n")) }
        #expect(result.stderr.contains("\(folder("a.jsonl")):11:1: "))
    }

    @Test("A time that no container can hold is rejected like a malformed one, and gets no number")
    func extremeTimes() async throws {
        let line = #"{"kind":"open","at":TIME,"who":"u","item":1}"#
        let times = ["9223372036854775807", "-1", "9223372036854000001", "9223372036854000000", "0"]
        let result = try await run(
            times.map { line.replacing("TIME", with: $0) }, mapping: Self.mapping.replacing("\"ms\"", with: "\"us\""))
        #expect(result.lines.count == 2 && result.exitCode == 0)
        #expect(result.lines.first?.contains(#""seq":1,"#) == true && result.lines.last?.contains(#""seq":2,"#) == true)
        #expect(result.lines.first?.contains(#""time":9223372036854,"#) == true)
        #expect(result.stderr.contains("trackctl: 3 lines without an event: time does not have the format us\n"))
        let valid = try await trackctl(["validate", "-", "--schemas", "\(Self.package)/Schemas"], stdin: result.stdout)
        #expect(valid.exitCode == 0, "\(valid.text)")
    }

    @Test("A new file whose name ends in .gz is compressed")
    func compressed() async throws {
        let line = #"{"kind":"open","at":1536753248000,"who":"u","item":1}"#
        let plain = try await run([line])
        #expect(try await run([line], "--to", folder("a.jsonl.gz")).exitCode == 0)
        #expect(plain.lines.count == 1)
        #expect(try await gunzip(try #require(folder.bytes("a.jsonl.gz"))) == plain.stdout)
    }

    @Test("The same id or line gives the same id again, and a log stores nothing twice")
    func ids() async throws {
        let line = #"{"kind":"open","at":1536753248000,"who":"u","item":1,"key":"17"}"#
        let other = line.replacing(#","key":"17""#, with: "")
        let id = try #require(try await run([line]).text.firstMatch(of: /"id":"([^"]+)"/)?.1)
        #expect(id.hasPrefix("0165cda1-a700-7"))  // 1536753248000
        let texts = try await run([other, line, line.replacing(#""item":1"#, with: #""item":2"#)]).lines
        #expect(texts.map { $0.contains(id) } == [false, true, true])
        for expected in ["2 kept, 0 renumbered, 0 known", "0 kept, 0 renumbered, 2 known"] {
            #expect(try await run([line, other], "--to", folder("a.sqlite")).stderr.contains(expected))
        }
    }

    @Test("Of many lines malformed for the same reason ten are reported, and the others are counted")
    func manyIssues() async throws {
        let result = try await run(Array(repeating: "[1,", count: 1_010))
        let lines = result.stderr.split(separator: "\n")
        #expect(lines.prefix(10).allSatisfy { $0.hasPrefix(folder("a.jsonl:")) })
        #expect(
            lines.dropFirst(10) == [
                "… and 1,000 more like this",
                "trackctl: 1,010 lines: 0 events: 0 kept, 0 renumbered, 0 known (skipped); nothing new",
                "trackctl: 1,010 malformed lines",
            ])
        #expect(result.exitCode == 65)
    }

    @Test(
        "An invalid mapping is rejected with the location of the error",
        arguments: [
            ("\"install_id\": \"shop\"", "\"install_id\": \"\"", "2:17"), ("\"ms\"", "\"years\"", "3:36"),
            ("\"from\": \"who\"", "\"form\": \"who\"", "5:23"), ("{\"from\": \"kind\"}", "{}", "6:12"),
            (".test", ".test ==", "7:11"), ("words[0]", "words[*]", "11:35"), ("%{item}", "%{item", "15:38"),
            ("\"as\": \"integer\"", "\"as\": \"date\"", "11:79"), ("\"skip\"", "\"slip\"", "7:11"),
            ("\"name\": \"search\"", "\"name\": \"\"", "10:15"), ("\"search\"", "\"Search\"", "10:15"),
            ("\"search\"", "\"search\", \"schema\": \"bad\"", "10:35"),
            ("\"search\"", "\"search\", \"schema\": \"page-view/1-0-0\"", "10:35"),
            ("\"search\"", "\"search\", \"schema\": \"search/0-0-0\"", "10:35"),
        ])
    func wrongMappings(part: String, replacement: String, location: String) async throws {
        let result = try await run(["{}"], mapping: Self.mapping.replacing(part, with: replacement))
        #expect(result.stderr.hasPrefix("trackctl: \(folder("map.json")):\(location): "))
        #expect(result.exitCode == 65 && result.stdout.isEmpty)
    }

    @Test("A schema of another version is the one that the lines name")
    func schema() async throws {
        let mapping = Self.mapping.replacing("\"search\"", with: "\"search\", \"schema\": \"search/2-0-1\"")
        let result = try await run([#"{"kind":"find","at":1,"who":"u","words":["a"],"page":1}"#], mapping: mapping)
        #expect(result.text.contains(#""schema":"search/2-0-1""#) && result.exitCode == 0)
    }

    @Test("A mapping that is empty, missing or a folder is reported as such")
    func unreadable() async throws {
        let empty = try await run(["{}"], mapping: "")
        #expect(
            empty.stderr
                == "trackctl: \(folder("map.json")) is empty: write the mapping to it, or pass another file\n")
        #expect(empty.exitCode == 65)
        let input = try folder.file("a.jsonl", "{}\n")
        #expect(try await trackctl(["import", input, "--mapping", folder("none.json")]).exitCode == 66)
        let directory = try await trackctl(["import", input, "--mapping", folder.path])
        #expect(directory.exitCode == 74 && directory.stderr.contains("check that it is a file"))
    }

    @Test(
        "A real hour of activity becomes valid events with the example, the same bytes each time",
        .enabled(if: SharedData.isAvailable, "\(SharedData.requirement)"))
    func activity() async throws {
        let arguments = [
            "import", SharedData.activity, "--mapping", "\(Self.package)/Sources/Examples/Imports/github-activity.json",
            "--to",
        ]
        let result = try await trackctl(arguments + [folder("a.jsonl")])
        #expect(result.exitCode == 0)
        #expect(result.stderr.hasPrefix("trackctl: 7,702 lines: 6,325 events: 6,325 kept"))
        #expect(result.stderr.contains("1,377 lines without an event: event is not in the mapping"))
        let valid = try await trackctl([
            "validate", folder("a.jsonl"), "--schemas", "\(Self.package)/Schemas", "--format", "json",
        ])
        #expect(valid.text.contains(#""invalid":0,"#) && valid.text.contains(#""lines":6325,"#))
        _ = try await trackctl(arguments + [folder("b.jsonl")])
        #expect(folder.bytes("a.jsonl") != nil && folder.bytes("a.jsonl") == folder.bytes("b.jsonl"))
    }
}
