import CommandRunner
import Foundation
import JSONLines
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("trackctl validate and its formats")
struct TrackctlValidateFormatTests {
    private let folder: TrackctlFolder
    private let file: String

    /// A valid line, two errors of one kind, an unknown event after text that is not ASCII, and a torn line.
    init() throws {
        folder = try TrackctlFolder()
        let lines: [PlannedLine] = [
            PlannedLine(), .search("", time: "1536753250"), .search("", time: "1536753249"),
            PlannedLine(name: "basket", context: #","context":{"sdk":"ü🌊"}"#),
        ]
        file = try folder.file("a: 50%,b.jsonl", lines.text + "{")
    }

    private func validate(_ format: String, _ arguments: String...) async throws -> CommandResult {
        let result = try await trackctl(
            ["validate", file, "--schemas", TrackctlValidateTests.schemas, "--format", format] + arguments)
        #expect(result.exitCode == 1 || arguments.contains(folder("none")))
        return result
    }

    @Test("JSON is one line with sorted members")
    func json() async throws {
        let (first, last) = ("2018-09-12T11:54:07.500000Z", "2018-09-12T11:54:10.000000Z")
        let schema = "https://schemas.swift-tracking.dev/events/search/1-0-0.json"
        let sample = { (line: Int, column: Int) in #"{"column":\#(column),"input":"\#(file)","line":\#(line)}"# }
        #expect(
            try await validate("json").text == """
                {"events":[\
                {"event":"launch/1-0-0","first_time":"\(first)","in_plan":true,"invalid":0,"invalid_by_kind":{},\
                "last_time":"\(first)","lines":1,"sample":null,"unplanned":0,"valid":1},\
                {"event":"search/1-0-0","first_time":"2018-09-12T11:54:09.000000Z","in_plan":true,"invalid":2,\
                "invalid_by_kind":{"invalid-event":2},"last_time":"\(last)","lines":2,"sample":\(sample(2, 235)),\
                "unplanned":0,"valid":0},\
                {"event":"basket/1-0-0","first_time":"\(first)","in_plan":false,"invalid":1,\
                "invalid_by_kind":{"unknown-event":1},"last_time":"\(first)","lines":1,"sample":\(sample(4, 207)),\
                "unplanned":0,"valid":0},\
                {"event":null,"first_time":null,"in_plan":false,"invalid":1,"invalid_by_kind":{"torn-line":1},\
                "last_time":null,"lines":1,"sample":\(sample(5, 1)),"unplanned":0,"valid":0}],\
                "findings":[\
                {"count":2,"event":"search/1-0-0","first_time":"2018-09-12T11:54:09.000000Z",\
                "instance_path":"/event/value/query","keyword":"minLength","kind":"invalid-event",\
                "last_time":"\(last)","level":"error","message":"must have at least 1 character",\
                "sample":\(sample(2, 235)),"schema_location":"\(schema)#/properties/value/properties/query/minLength"},\
                {"count":1,"event":"basket/1-0-0","first_time":"\(first)","instance_path":"/schema","keyword":"",\
                "kind":"unknown-event","last_time":"\(first)","level":"error",\
                "message":"the plan has no event basket: add events/basket/1-0-0.json","sample":\(sample(4, 207)),\
                "schema_location":""},\
                {"count":1,"event":null,"first_time":null,"instance_path":"","keyword":"","kind":"torn-line",\
                "last_time":null,"level":"error",\
                "message":"the last line has no line feed: a write was interrupted","sample":\(sample(5, 1)),\
                "schema_location":""}],\
                "first_time":"\(first)","inputs":[{"error":null,"input":"\(file)","invalid":4,"lines":5,\
                "unplanned":0,"valid":1}],\
                "invalid":4,"invalid_by_kind":{"invalid-event":2,"torn-line":1,"unknown-event":1},\
                "last_time":"\(last)","lines":5,"schemas":"\(TrackctlValidateTests.schemas)","stopped":false,\
                "ungrouped":0,"unplanned":0,"unused":["background/1-0-0","notification/1-0-0","page-view/1-0-0"],"valid":1}

                """)
    }

    @Test("GitHub gets an annotation for each group, escaped, with columns in characters")
    func github() async throws {
        let location = folder("a%3A 50%25%2Cb.jsonl")
        let schemas = TrackctlValidateTests.schemas
        #expect(
            try await validate("github", "--fail-on", "invalid,unused").lines == [
                "::error file=\(location),line=2,col=235,title=invalid-event::search/1-0-0: /event/value/query: must have "
                    + "at least 1 character (2 times)",
                "::warning file=\(location),line=4,col=203,title=unknown-event::basket/1-0-0: /schema: the plan has no "
                    + "event basket: add events/basket/1-0-0.json",
                "::error file=\(location),line=5,col=1,title=torn-line::the last line has no line feed: a write was "
                    + "interrupted",
                "::error file=\(schemas)/events/background/1-0-0.json,title=unused-event::event background "
                    + "was never seen",
                "::error file=\(schemas)/events/notification/1-0-0.json,title=unused-event::event notification "
                    + "was never seen",
                "::error file=\(schemas)/events/page-view/1-0-0.json,title=unused-event::event page-view "
                    + "was never seen",
            ])
    }

    @Test("JUnit gets a suite for each input and a test case for each event")
    func junit() async throws {
        let result = try await validate("junit", "--fail-on", "invalid", folder("none"))
        let outline = XMLOutline(result.stdout)
        #expect(
            outline.elements == [
                "testsuites name=trackctl validate tests=5 failures=2 errors=1 skipped=0",
                "testsuite name=\(file) tests=4 failures=2 errors=0 skipped=0",
                "testcase classname=\(file) name=launch/1-0-0",
                "testcase classname=\(file) name=search/1-0-0",
                "failure type=invalid-event message=2 of 2 lines are invalid",
                "\(file):2:235: invalid-event: /event/value/query: must have at least 1 character (2 times)",
                "testcase classname=\(file) name=basket/1-0-0", "system-out",
                "\(file):4:207: unknown-event: /schema: the plan has no event basket: add events/basket/1-0-0.json "
                    + "(once)",
                "testcase classname=\(file) name=(none)",
                "failure type=torn-line message=1 of 1 lines are invalid",
                "\(file):5:1: torn-line: the last line has no line feed: a write was interrupted (once)",
                "testsuite name=\(folder("none")) tests=1 failures=0 errors=1 skipped=0",
                "testcase classname=\(folder("none")) name=(input)",
                "error type=unreadable-input message=cannot open \(folder("none")): no such file; check the path",
            ])
        let whole = XMLOutline(try await validate("junit").stdout).elements
        #expect(
            whole.suffix(7) == [
                "testsuite name=\(TrackctlValidateTests.schemas) tests=3 failures=0 errors=0 skipped=3",
                "testcase classname=\(TrackctlValidateTests.schemas) name=background/1-0-0",
                "skipped message=event background was never seen",
                "testcase classname=\(TrackctlValidateTests.schemas) name=notification/1-0-0",
                "skipped message=event notification was never seen",
                "testcase classname=\(TrackctlValidateTests.schemas) name=page-view/1-0-0",
                "skipped message=event page-view was never seen",
            ])
    }

    @Test("XML is well-formed whatever the lines contain")
    func hostileXML() async throws {
        let names = [#"\u0000"#, #"\u001b[2J"#, "<&>", "]]>", #"\""#, "\u{FFFE}", #"\ud83c\udf0a"#, #"\n\r\t"#]
        let lines = names.map { PlannedLine(value: "{\"\($0)\":1}", context: ",\"\($0)\":1") }.text
        let hostile = try folder.file("<&\".jsonl", lines)
        for format in ["junit", "text"] {
            let result = try await trackctl([
                "validate", hostile, "--schemas", TrackctlValidateTests.schemas, "--format", format,
            ])
            #expect(!result.stdout.contains(0x1B) && !result.stdout.contains(0))
            if format == "junit" { #expect(XMLOutline(result.stdout).elements.count > 3) }
        }
    }

    @Test("SARIF names the tool, its rules, and each group with its location")
    func sarif() async throws {
        let result = try await validate("sarif", "--fail-on", "invalid,unused")
        let sarif = try JSONParser.parse(result.stdout.dropLast())
        #expect(sarif["version"] == "2.1.0" && sarif["$schema"] == "https://json.schemastore.org/sarif-2.1.0.json")
        let run = try #require(sarif["runs"]?.elements.first)
        let driver = try #require(run["tool"]?["driver"])
        #expect(driver["name"] == "trackctl" && driver["version"] == "0.1.0")
        let rules = driver["rules"]?.elements ?? []
        #expect(
            rules.map { $0["id"] } == [
                "not-json", "too-long", "torn-line", "invalid-container", "unknown-event", "unknown-version",
                "name-mismatch", "invalid-event", "page-not-in-plan", "page-additional", "undecided", "unused-event",
            ])
        for rule in rules {
            #expect(rule["help"]?["text"]?.stringValue?.isEmpty == false)
            #expect(rule["shortDescription"]?["text"]?.stringValue?.isEmpty == false)
        }
        #expect(run["columnKind"] == "unicodeCodePoints")
        #expect(run["invocations"]?.elements.map { $0["executionSuccessful"] } == [true])
        let results = run["results"]?.elements ?? []
        for result in results {
            let rule = try #require(result["ruleIndex"]?.integerValue)
            #expect(rules[Int(rule)]["id"] == result["ruleId"])
            #expect(result["message"]?["text"]?.stringValue?.isEmpty == false)
        }
        let uri: JSONValue = .string("file://" + folder("a%3A%2050%25,b.jsonl"))
        let schemas = try #require(
            TrackctlValidateTests.schemas.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed))
        let locations = results.map { $0["locations"]?.elements.first?["physicalLocation"] }
        #expect(
            locations.prefix(3) == [
                ["artifactLocation": ["uri": uri], "region": ["startLine": 2, "startColumn": 235]],
                ["artifactLocation": ["uri": uri], "region": ["startLine": 4, "startColumn": 203]],
                ["artifactLocation": ["uri": uri], "region": ["startLine": 5, "startColumn": 1]],
            ])
        #expect(results.map { $0["level"] } == ["error", "warning", "error", "error", "error", "error"])
        #expect(results.map { $0["occurrenceCount"] } == [2, 1, 1, nil, nil, nil])
        #expect(
            locations.last == [
                "artifactLocation": [
                    "uri": .string("file://\(schemas)/events/page-view/1-0-0.json")
                ]
            ])
    }

    @Test("SARIF names unreadable inputs; then nothing counts as unused")
    func sarifUnread() async throws {
        let result = try await validate("sarif", folder("none"), "--fail-on", "invalid,unused")
        #expect(result.exitCode == 66)
        let run = try #require(try JSONParser.parse(result.stdout.dropLast())["runs"]?.elements.first)
        #expect(run["results"]?.elements.count == 3)
        let invocation = try #require(run["invocations"]?.elements.first)
        #expect(invocation["executionSuccessful"] == false)
        let message = invocation["toolExecutionNotifications"]?.elements.map { $0["message"]?["text"] }
        #expect(message == [.string("cannot open \(folder("none")): no such file; check the path")])
    }
}

/// The elements and texts of an XML document, in order; nothing if it is not well-formed.
private final class XMLOutline: NSObject, XMLParserDelegate {
    private(set) var elements: [String] = []
    private var text = ""

    private static let order = ["type", "classname", "name", "message", "tests", "failures", "errors", "skipped"]

    init(_ bytes: [UInt8]) {
        super.init()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        if !parser.parse() { elements = [] }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        let known = Self.order.compactMap { name in attributes[name].map { "\(name)=\($0)" } }
        #expect(known.count == attributes.count)
        elements.append(([name] + known).joined(separator: " "))
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if !text.allSatisfy(\.isWhitespace) { elements.append(text) }
        text = ""
    }
}

extension JSONValue {
    fileprivate var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }
}
