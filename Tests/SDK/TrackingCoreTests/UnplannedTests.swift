import EventLog
import Foundation
import JSONLines
import Primitives
import Testing
import TrackingCore

@Suite("An event without a schema")
struct UnplannedTests {
    private struct PromoShown: TrackingEvent {
        static let name = "promo-shown"
        static let isPlanned = false
        var properties: [String: JSONValue] = ["banner": 3]

        func writeValue(to json: inout JSONWriter) throws { try JSONValue.object(properties).write(to: &json) }
    }

    private struct Misnamed: TrackingEvent {
        static let name = "Not-Kebab"
        static let isPlanned = false
    }

    /// Fails when encoded.
    private struct Trap: TrackingEvent {
        static let name = "trap"
        static let isPlanned = false

        func writeValue(to json: inout JSONWriter) throws { Issue.record("a rejected event is encoded") }
    }

    private let dependencies = TestDependencies()

    private static let marked = """
        "schema":"promo-shown/1-0-0","unplanned":true,"event":{"name":"promo-shown","value":{"banner":3}}}
        """

    @Test("is rejected unless the app allows it: not encoded, not numbered, counted and reported")
    func rejected() async throws {
        let tracking = dependencies.start().tracking
        #expect(tracking.send(PromoShown()) == nil)
        #expect(tracking.send(Trap()) == nil)
        #expect(tracking.send(Misnamed()) == nil)
        #expect(tracking.send(.launch)?.seq == 1)
        #expect(
            dependencies.diagnostics.withLock { $0 } == [
                "dropped promo-shown unplanned", "dropped trap unplanned", "dropped Not-Kebab invalid-name",
            ])
        #expect(
            try await dependencies.log.ledger().map { "\($0.reason.rawValue) \($0.count)" }.sorted() == [
                "invalid-name 1", "unplanned 2",
            ])
    }

    @Test("is marked if the app allows it, in every form of the line")
    func allowed() throws {
        let tracking = dependencies.start(unplanned: .allowed).tracking
        #expect(tracking.send(PromoShown())?.seq == 1)
        #expect(tracking.send(.launch)?.seq == 2)
        #expect(tracking.send(Misnamed()) == nil)
        let lines = dependencies.lines()
        #expect(lines.first?.hasSuffix(Self.marked) == true, "\(lines)")
        #expect(lines.last?.contains("unplanned") == false)
        let container = TrackingContainer(
            id: tracking.store.state.last?.id ?? EventID(milliseconds: 0, counter: 0, random: 0), installID: "i",
            seq: 1,
            sessionID: "s", userID: "u", time: EventTime(seconds: 1), context: nil, event: PromoShown())
        #expect(String(decoding: try container.line(), as: UTF8.self).hasSuffix(Self.marked))
        let object = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(container)) as? [String: Any])
        #expect(object["unplanned"] as? Bool == true)
    }

    @Test("is rejected while the log opens, too")
    func opening() async throws {
        let log = dependencies.log
        let environment = TrackingEnvironment<Route>.live(
            opening: { log }, storage: dependencies.storage, clock: dependencies.clock, timer: ContinuousClock(),
            ids: dependencies.ids,
            sinks: [], context: nil, diagnostics: { [dependencies] in dependencies.report($0) })
        #expect(environment.tracking.send(PromoShown()) == nil)
        environment.tracking.send(.launch)
        try await environment.tracking.flushToDisk()
        #expect(dependencies.lines().count == 1)
        #expect(dependencies.diagnostics.withLock { $0 } == ["dropped promo-shown unplanned"])
    }

    @Test("is read by the SDK's own line reader")
    func reading() throws {
        let tracking = dependencies.start(unplanned: .allowed).tracking
        tracking.send(PromoShown())
        let line = try #require(dependencies.lines().first)
        #expect(try RecordedContainer(line: Array(line.utf8)).seq == 1)
    }
}
