import Foundation
import JSONLines
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

/// The frozen line, member by member: the pieces that the SDK assembles must give the same bytes.
private func frozenLine<Event: TrackingEvent>(_ container: TrackingContainer, _ event: Event) throws -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.key("v")
    json.integer(1)
    json.key("id")
    json.string(container.id.description)
    json.key("install_id")
    json.string(container.installID)
    json.key("seq")
    json.integer(container.seq)
    json.key("session_id")
    json.string(container.sessionID)
    json.key("user_id")
    json.string(container.userID)
    json.key("time")
    json.seconds(microseconds: container.time.microseconds)
    json.key("schema")
    json.string("\(Event.name)/\(Event.schemaVersion)")
    if let context = container.context {
        json.key("context")
        context.write(to: &json)
    }
    json.key("event")
    json.beginObject()
    json.key("name")
    json.string(Event.name)
    if Event.carriesValue {
        json.key("value")
        try event.writeValue(to: &json)
    }
    json.endObject()
    json.endObject()
    return json.bytes
}

private struct Versioned: TrackingEvent {
    static let name = "versioned-2"
    static let schemaVersion = SchemaVersion(3, 14, 159)
    var text: String
    var list: [Int?]
}

@Suite("Lines")
struct LineTests {
    static let events: [any TrackingEvent] = [
        .launch, .background, PageView(page: "search"), PageView(page: "\"\\/\u{1}\n", additional: "é🌊"),
        .search(query: "flux", page: 1), .search(query: " ", page: .max >> 10),
        .search(query: "\u{1F}\u{7F}„“", page: 10),
        .notification(identifier: "x", userInfo: ["a": [1, 0.5, nil, "\t", true]]),
        Versioned(text: "\r\u{8}\u{C}", list: [1, nil, -3]),
    ]
    static let contexts: [TrackingContext?] = [
        nil, TrackingContext(app: nil, os: nil), TrackingContext(app: "App \"1\"\n", os: nil),
        TrackingContext(app: "Öl 1.0", os: "Linux\\6\u{2}"),
    ]
    static let users = ["ada", "\"quoted\\\"", "é🌊", String(repeating: "\"", count: 128)]

    private static func line(_ container: TrackingContainer) throws -> String {
        let event: any TrackingEvent = container.event
        return String(decoding: try frozenLine(container, event), as: UTF8.self)
    }

    @Test("the log receives the frozen line, for every event, context and user", arguments: contexts)
    func sent(context: TrackingContext?) throws {
        let recorder = TrackingRecorder(now: EventTime(microseconds: 1_536_753_247_999_990), exhaustivity: .off)
        let environment = TrackingEnvironment<Route>.mock(recording: recorder, context: context)
        for user in Self.users {
            #expect(environment.tracking.identify(user))
            for event in Self.events {
                #expect(environment.tracking.send(event) != nil)
                recorder.clock.advance(by: .microseconds(1_111))
            }
        }
        let lines = recorder.log.records.map { String(decoding: $0.line, as: UTF8.self) }
        #expect(lines.count == Self.users.count * Self.events.count)
        #expect(try recorder.containers.map { try Self.line($0) } == lines)
        #expect(try recorder.containers.map { String(decoding: try $0.line(), as: UTF8.self) } == lines)
    }

    @Test("any other encoder writes the same members", arguments: contexts)
    func otherEncoders(context: TrackingContext?) throws {
        for event in Self.events {
            let container = TrackingContainer(
                id: EventID(high: 0x0123_4567_89AB_7DEF, low: 0xFEDC_BA98_7654_3210), installID: "i", seq: 7,
                sessionID: "s", userID: "u", time: EventTime(microseconds: 1_536_753_247_351_338), context: context,
                event: event)
            #expect(try JSONParser.parse(JSONEncoder().encode(container)) == JSONParser.parse(container.line()))
        }
    }

    @Test(
        "numbers at the ends of their ranges",
        arguments: [Int64.min, -1_000_001, -1, 0, 1, 9, 10, 99, 100, 999_999, 1_000_000])
    func numbers(number: Int64) throws {
        for value in [number, .max + min(0, -abs(number / 3))] {
            for id in [EventID(high: 0x0123_4567_89AB_7DEF, low: 0xFEDC_BA98_7654_3210), EventID(high: 0, low: .max)] {
                let container = TrackingContainer(
                    id: id, installID: "i\"", seq: value, sessionID: "s\\", userID: "u\n",
                    time: EventTime(microseconds: value), context: nil, event: Search(query: "q", page: 1))
                let line = String(decoding: try container.line(), as: UTF8.self)
                #expect(try line == Self.line(container))
            }
        }
    }

    @Test("all digits, and all numbers of digits")
    func digits() throws {
        var value: Int64 = 1
        while value < .max / 10 {
            for near in [value - 1, value, value + 1, value * 7] {
                let container = TrackingContainer(
                    id: EventID(high: UInt64(near), low: UInt64(near) << 7), installID: "i", seq: near, sessionID: "s",
                    userID: "u", time: EventTime(microseconds: near), context: nil, event: Launch())
                let line = String(decoding: try container.line(), as: UTF8.self)
                #expect(try line == Self.line(container))
            }
            value *= 10
        }
    }

    @Test("with a growing envelope context, the limit is exact, and rejected events use no number")
    func limit() throws {
        let recorder = TrackingRecorder(validatingAgainst: nil, exhaustivity: .off)
        let environment = TrackingEnvironment<Route>.mock(recording: recorder)
        environment.tracking.send(.search(query: "x", page: 1))
        let short = recorder.log.records[0].line.count - "x00000000-0000-4000-8000-000000000001".count
        for user in Self.users {
            environment.tracking.identify(user)
            var json = JSONWriter()
            json.string(user)
            let room = TrackingContainer.maximumLineLength - short - (json.bytes.count - 2)
            for spare in -45 ... -1 {
                let seq = recorder.log.newest?.seq ?? 0
                let digits = "\(seq + 1)".count - 1
                let query = String(repeating: "x", count: room - digits - spare)
                // A little too long first, then the longest.
                #expect(environment.tracking.send(.search(query: query, page: 1)) == nil)
                let fitting = String(repeating: "x", count: room - digits + spare + 1)
                #expect(environment.tracking.send(.search(query: fitting, page: 1))?.seq == seq + 1)
                #expect(recorder.log.newest?.line.count == TrackingContainer.maximumLineLength + spare + 1)
            }
        }
        #expect(try recorder.containers.map { try $0.line() } == recorder.log.records.map(\.line))
    }
}
