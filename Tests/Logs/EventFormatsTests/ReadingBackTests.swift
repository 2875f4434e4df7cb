import CommandRunner
import EventFormats
import Foundation
import JSONLines
import JSONSchema
import Testing

@Suite("Reading back")
struct ReadingBackTests {
    /// A format and its reader.
    private static func roundTrip(_ lines: [String], _ format: OutputFormat) throws -> (
        written: [String], read: [String]
    ) {
        let written = try formatted(lines, format).split(separator: "\n").map(String.init)
        let read = try written.map { try format == .segment ? fromSegment($0) : fromCloudEvents($0) }
        return (written, read)
    }

    @Test("gives the SDK's lines byte for byte", arguments: [OutputFormat.cloudEvents, .segment])
    func containers(format: OutputFormat) throws {
        var random = RandomLines(seed: 1)
        let lines = try (0..<500).map { _ in try random.container() }
        #expect(try Self.roundTrip(lines, format).read == lines)
    }

    @Test("gives any other line byte for byte, too", arguments: [OutputFormat.cloudEvents, .segment])
    func objects(format: OutputFormat) throws {
        var random = RandomLines(seed: 2)
        let lines = (0..<1000).map { _ in random.object() } + (try Golden.lines)
        #expect(try Self.roundTrip(lines, format).read == lines)
    }

    @Test(
        "gives every line of a real hour, without a copy of the line",
        .enabled(if: SharedData.isAvailable, "\(SharedData.requirement)"),
        arguments: [OutputFormat.cloudEvents, .segment])
    func realLines(format: OutputFormat) async throws {
        let hour = try await RealHour.played
        #expect(hour.result.exitCode == 0, "\(hour.result.stderr)")
        let lines = hour.lines.textLines
        #expect(lines.count > 10_000)
        // Every seventh, or a debug build takes minutes.
        let some = stride(from: 0, to: lines.count, by: 7).map { lines[$0] }
        let (written, read) = try Self.roundTrip(some, format)
        #expect(read == some)
        #expect(!written.contains { $0.contains(#""trackingline":"#) || $0.contains(#""line":"#) })
    }

    @Test(
        "gives an equal line after another system has rewritten the event",
        arguments: [OutputFormat.cloudEvents, .segment])
    func otherSystems(format: OutputFormat) throws {
        var random = RandomLines(seed: 3)
        let lines = try (0..<200).map { _ in try random.container() }
        for (line, written) in zip(lines, try Self.roundTrip(lines, format).written) {
            let object = try JSONSerialization.jsonObject(with: Data(written.utf8))
            let rewritten = try JSONSerialization.data(withJSONObject: object, options: [.prettyPrinted, .sortedKeys])
            let text = String(decoding: rewritten, as: UTF8.self)
            let read = try format == .segment ? fromSegment(text) : fromCloudEvents(text)
            #expect(!read.contains("\n"))
            let (first, second) = (try JSONDocument(line.utf8), try JSONDocument(read.utf8))
            #expect(first.root.isEqual(to: second.root), "\(line)")
        }
    }

    @Test(
        "rejects what is not a CloudEvent of an event, with the column",
        arguments: [
            ("[]", 1, "an event must be an object"), ("{", 2, "expected a name in quotes"),
            ("{}", 1, "unsupported specversion: a CloudEvent needs specversion 1.0"),
            (#"{"specversion":"0.3"}"#, 16, "unsupported specversion: a CloudEvent needs specversion 1.0"),
            (#"{"specversion":"1.0","source":"/","type":"x"}"#, 1, "missing attribute id"),
            (#"{"specversion":"1.0","id":"","source":"/","type":"x"}"#, 27, "expected a non-empty string"),
            (#"{"specversion":"1.0","id":"1","source":"/","type":7}"#, 51, "expected a non-empty string"),
            (
                #"{"specversion":"1.0","id":"1","source":"/","type":"x","time":"now"}"#, 62,
                "expected an RFC 3339 date and time with at most six decimals"
            ),
            (
                #"{"specversion":"1.0","id":"1","source":"/","type":"x","trackingseq":7}"#, 69,
                "expected an integer as a string"
            ),
            (
                #"{"specversion":"1.0","id":"1","source":"/","type":"x","trackingcontext":"{"}"#, 73,
                "expected a string with a JSON object"
            ),
            (
                #"{"specversion":"1.0","id":"1","source":"/","type":"x","data_base64":"e30="}"#, 69,
                "unsupported data_base64: an event's value must be JSON in data"
            ),
            (#"{"specversion":"1.0","trackingline":"e"}"#, 37, "expected Base64"),
            (#"{"specversion":"1.0","trackingline":1234}"#, 37, "expected Base64"),
            (#"{"specversion":"1.0","trackingline":"W10="}"#, 37, "the embedded value is not the line of an event"),
            (#"{"specversion":"1.0","trackingline":"ewp9"}"#, 37, "the embedded value has more than one line"),
        ])
    func cloudEventIssues(event: String, column: Int, reason: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try fromCloudEvents(event) }
        #expect(error?.description == "column \(column): \(reason)")
    }

    @Test(
        "rejects what is not a message of an event, with the column",
        arguments: [
            ("{}", 1, "a Segment message needs a type"),
            (#"{"type":"identify"}"#, 9, "unsupported type: use track or page"),
            (#"{"type":"track"}"#, 1, "a track message needs an event"),
            (#"{"type":"track","event":1}"#, 25, "event must be a string"),
            (
                #"{"type":"page","timestamp":"2018-02-30T00:00:00Z"}"#, 28,
                "expected an RFC 3339 date and time with at most six decimals"
            ),
            (#"{"type":"page","context":{"tracking":{"line":[]}}}"#, 46, "expected a string"),
            (
                #"{"type":"page","context":{"tracking":{"line":"{\"a\":"}}}"#, 46,
                "the embedded value is not the line of an event"
            ),
        ])
    func segmentFaults(message: String, column: Int, reason: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try fromSegment(message) }
        #expect(error?.description == "column \(column): \(reason)")
    }

    @Test("accepts CloudEvents and messages of other producers")
    func others() throws {
        #expect(
            try fromCloudEvents(
                #"{"specversion":"1.0","id":"7","source":"urn:shop","type":"paid","other":5,"data":"<"}"#
            )
                == #"{"id":"7","install_id":"urn:shop","event":{"name":"paid","value":"<"}}"#)
        for (source, installID) in [
            ("/installs/a%2fb%20", "a/b "), ("/installs/%+F%4", "%+F%4"), ("/installs/%FF", "/installs/%FF"),
        ] {
            #expect(
                try fromCloudEvents(#"{"specversion":"1.0","id":"7","source":"\#(source)","type":"t"}"#)
                    == #"{"id":"7","install_id":"\#(installID)","event":{"name":"t"}}"#)
        }
        #expect(
            try fromSegment(#"{"event":"Clicked","properties":{"n":1.0},"type":"track","userId":"u","sentAt":"x"}"#)
                == #"{"user_id":"u","event":{"name":"Clicked","value":{"n":1.0}}}"#)
    }
}
