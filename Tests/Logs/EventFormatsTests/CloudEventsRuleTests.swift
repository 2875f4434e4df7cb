import EventFormats
import Foundation
import Testing

/// The rules of CloudEvents 1.0.2 and its JSON format, in the specification's words.
@Suite("Every CloudEvent")
struct CloudEventsRuleTests {
    @Test("obeys the specification, whatever the line")
    func rules() throws {
        var random = RandomLines(seed: 4)
        var lines = try Golden.lines + (0..<500).map { _ in random.object() }
        lines += try (0..<300).map { _ in try random.container() }
        let events = try formatted(lines, .cloudEvents).split(separator: "\n")
        #expect(events.count == lines.count)
        for event in events { try Self.check(event) }
    }

    private static let strings = [
        "specversion", "id", "source", "type", "subject", "time", "datacontenttype", "dataschema", "trackingseq",
        "trackingsessionid", "trackingcontext", "trackingorigin", "trackingline",
    ]

    private static func check(_ text: Substring) throws {
        // Numbers such as 1e400 occur only in data, and JSONSerialization rejects them.
        let event = try #require(
            try JSONSerialization.jsonObject(with: Data(text.replacing("1e400", with: "1e40").utf8)) as? [String: Any])
        let name = /[a-z0-9]{1,20}/
        for (attribute, value) in event where attribute != "data" {
            #expect(attribute.wholeMatch(of: name) != nil, "\(attribute)")
            if attribute == "trackingversion" {
                let number = try #require(value as? NSNumber)
                #expect(Int32(exactly: number) != nil)
            } else {
                #expect(strings.contains(attribute), "\(attribute)")
                let string = try #require(value as? String, "\(attribute)")
                #expect(!string.isEmpty || attribute == "trackingseq", "\(attribute)")
                #expect(string.unicodeScalars.allSatisfy(isAllowed), "\(attribute)")
            }
        }
        #expect(event["specversion"] as? String == "1.0")
        for required in ["id", "source", "type"] { #expect(event[required] != nil, "\(required)") }
        // URI-reference: the characters of RFC 3986, every % with two digits.
        let source = try #require(event["source"] as? String)
        #expect(source.wholeMatch(of: /\/installs\/(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*/) != nil, "\(source)")
        if let time = event["time"] as? String {
            #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil, "\(time)")
        }
        if let schema = event["dataschema"] as? String {
            #expect(schema.wholeMatch(of: /https:\/\/[a-z.-]+\/events\/[A-Za-z0-9_-]+\/[A-Za-z0-9_-]+\.json/) != nil)
        }
        #expect((event["data"] == nil) == (event["datacontenttype"] == nil))
        if let type = event["datacontenttype"] as? String { #expect(type == "application/json") }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        !(0x00...0x1F).contains(scalar.value) && !(0x7F...0x9F).contains(scalar.value)
            && !(0xFDD0...0xFDEF).contains(scalar.value) && scalar.value & 0xFFFF < 0xFFFE
    }
}
