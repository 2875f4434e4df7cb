import DeliveryProtocol
import JSONLines
import Testing

@testable import CollectorIntake

@Suite("Requests of other systems' clients")
struct RequestTests {
    private static func json(_ text: String) throws -> [String: JSONValue] {
        guard case .object(let members) = try JSONParser.parse(text.utf8) else { throw CancellationError() }
        return members
    }

    private static func problem(_ body: () throws(DeliveryProblem) -> Void) -> DeliveryProblem.Code? {
        do throws(DeliveryProblem) { try body() } catch { return error.code }
        return nil
    }

    @Test(
        "The last part of a Segment path selects the call",
        arguments: [
            ("/v1/track", "track"), ("/v1/t", "t"), ("/v1/batch", "batch"), ("/v1/b", "b"), ("/v1/events", nil),
            ("/v2/track", nil), ("/v1/track/", nil), ("/v1/", nil),
        ] as [(String, String?)])
    func segmentCall(path: String, call: String?) {
        #expect(SegmentRequest.call(path: path).map(String.init) == call)
    }

    @Test("A single Segment message gets the type of its path, and loses the write key")
    func segmentSingle() throws {
        let body = #"{"messageId":"m","event":"Search","userId":"u","writeKey":"k","type":"other"}"#
        let request = try SegmentRequest(Array(body.utf8), call: "track")
        #expect(request.writeKey == "k")
        #expect(request.messages.map(\.id) == ["m"])
        #expect(
            request.messages[0].members
                == (try Self.json(#"{"messageId":"m","event":"Search","userId":"u","type":"other"}"#)))
        let untyped = try SegmentRequest(Array(#"{"event":"Search"}"#.utf8), call: "t")
        #expect(untyped.messages[0].members == (try Self.json(#"{"event":"Search","type":"track"}"#)))
        #expect(untyped.messages[0].id == nil)
    }

    @Test("The messages of a Segment batch share its context and send time, and keep their bytes")
    func segmentBatch() throws {
        let elements = [#"{ "messageId" : "a", "x": "[,{\"" }"#, "7", #"{"messageId":"b","sentAt":"own"}"#]
        let body = #"{"batch":[ \#(elements.joined(separator: " , ")) ],"sentAt":"all","context":{"ip":1}}"#
        let request = try SegmentRequest(Array(body.utf8), call: "batch")
        #expect(request.messages.map { String(decoding: $0.bytes, as: UTF8.self) } == elements)
        #expect(request.messages.map(\.id) == ["a", nil, "b"])
        #expect(request.messages[1].members == nil)
        #expect(
            request.messages[2].members
                == (try Self.json(#"{"messageId":"b","sentAt":"own","context":{"ip":1}}"#)))
    }

    @Test(
        "A body that is no Segment message is an error",
        arguments: ["", "[", "[]", #"{"batch":{}}"#, "{}", #"{"batch":null}"#])
    func segmentRefused(body: String) {
        #expect(
            Self.problem { () throws(DeliveryProblem) in
                _ = try SegmentRequest(Array(body.utf8), call: "batch")
            } == .malformed)
    }

    @Test(
        "The elements of an array have their exact ranges",
        arguments: [
            ("[]", []), ("[ ]", []), ("[1]", ["1"]),
            (
                #"[ "a,]" ,[1,[2]] , {"b":[",",{}]},null ]"#,
                [#""a,]""#, "[1,[2]]", #"{"b":[",",{}]}"#, "null"]
            ),
            (#"["\\",2,"\"]"]"#, [#""\\""#, "2", #""\"]""#]),
        ] as [(String, [String])])
    func elements(array: String, expected: [String]) throws {
        let text = Array("x\(array)y".utf8)
        let ranges = try JSONElements.ranges(in: text, array: 1..<text.count - 1, limit: 100)
        #expect(ranges.map { String(decoding: text[$0], as: UTF8.self) } == expected)
    }

    private static let event = #"{"specversion":"1.0","id":"1","source":"/s","type":"t","data":{"a":[1]}}"#

    @Test("Binary, structured and batched CloudEvents give the same message")
    func cloudEvents() throws {
        let binary = try CloudEventsRequest(
            Array(#"{"a":[1]}"#.utf8), type: nil,
            fields: [
                ("ce-specversion", "1.0"), ("ce-id", "1"), ("ce-source", "/s"), ("ce-type", "t"), ("host", "x"),
            ])
        let structured = try CloudEventsRequest(
            Array(Self.event.utf8), type: "application/cloudevents+json; charset=utf-8", fields: [])
        let batch = try CloudEventsRequest(
            Array("[\(Self.event)]".utf8), type: "application/cloudevents-batch+json", fields: [])
        for request in [binary, structured, batch] {
            #expect(request.messages.map(\.id) == ["/s\u{0}1"])
            #expect(request.messages[0].members == (try Self.json(Self.event)))
        }
    }

    @Test(
        "The data of a binary CloudEvent follows its media type",
        arguments: [
            (nil, #"{"a":1}"#, #""data":{"a":1}"#), (nil, "plain", #""data":"plain""#),
            ("text/plain", "1", #""datacontenttype":"text/plain","data":"1""#),
            ("application/json", "1", #""datacontenttype":"application/json","data":1"#),
            (
                "application/octet-stream", "ab",
                #""datacontenttype":"application/octet-stream","data_base64":"YWI=""#
            ),
            ("application/json", "{", #""datacontenttype":"application/json","data_base64":"ew==""#),
        ] as [(String?, String, String)])
    func cloudEventData(type: String?, body: String, expected: String) throws {
        let fields = [("ce-specversion", "1.0"), ("ce-id", "1"), ("ce-source", "%2Fs%C3%A4"), ("ce-type", "t")]
        let request = try CloudEventsRequest(Array(body.utf8), type: type, fields: fields)
        #expect(
            request.messages[0].members
                == (try Self.json(#"{"specversion":"1.0","id":"1","source":"/sä","type":"t",\#(expected)}"#)))
    }

    @Test("An invalid CloudEvent of a batch is rejected alone; a single one is an error")
    func cloudEventsRefused() throws {
        let batch = "[\(Self.event),{\"id\":\"2\"},3]"
        let request = try CloudEventsRequest(
            Array(batch.utf8), type: "application/cloudevents-batch+json", fields: [])
        #expect(request.messages.map { $0.members == nil } == [false, true, true])
        for (body, type, code) in [
            (#"{"id":"2"}"#, "application/cloudevents+json", .malformed),
            ("3", "application/cloudevents+json", .malformed),
            ("{}", "application/cloudevents-batch+json", .malformed),
            ("", "application/cloudevents+avro", .unsupportedEncoding),
            ("{}", "application/json", .unsupportedEncoding),
        ] as [(String, String, DeliveryProblem.Code)] {
            #expect(
                Self.problem { () throws(DeliveryProblem) in
                    _ = try CloudEventsRequest(Array(body.utf8), type: type, fields: [])
                } == code)
        }
    }

    @Test("Snowplow's POST and pixel give the same message, with nested JSON decoded")
    func snowplow() throws {
        let post = try SnowplowRequest(
            Array(
                #"""
                {"schema":"iglu:com.snowplowanalytics.snowplow/payload_data/jsonschema/1-0-4","data":[
                {"e":"ue","eid":"1","uid":"a b","ue_px":"eyJkYXRhIjp7Im4iOjF9fQ","co":"not JSON"}]}
                """#.utf8))
        let pixel = try SnowplowRequest(
            query: "e=ue&eid=1&uid=a+b&ue_pr=%7B%22data%22%3A%7B%22n%22%3A1%7D%7D&co=not%20JSON")
        for request in [post, pixel] {
            #expect(request.messages.map(\.id) == ["1"])
            #expect(
                request.messages[0].members
                    == (try Self.json(
                        #"{"e":"ue","eid":"1","uid":"a b","unstruct":{"data":{"n":1}},"co":"not JSON"}"#)))
        }
    }

    @Test("What is no Snowplow event is an error", arguments: ["", "eid=1", "e=", "e=%", "e=%FF"])
    func snowplowRefused(query: String) {
        #expect(Self.problem { () throws(DeliveryProblem) in _ = try SnowplowRequest(query: query) } == .malformed)
        #expect(
            Self.problem { () throws(DeliveryProblem) in
                _ = try SnowplowRequest(Array(#"{"schema":"iglu:com.acme/x","data":[]}"#.utf8))
            } == .malformed)
    }
}
