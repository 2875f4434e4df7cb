import Foundation
import Testing
import TrackingCore
import TrackingPlan
import TrackingTesting

/// The generated code in Golden, used like in an app.
@Suite("Generated events")
struct GeneratedEventTests {
    private enum NoRoute: RouteCommand { case home }

    private static func checkout(
        order: String = "0165cddb-1e98-7000-8000-000000000001", placed: String = "2018-09-12T11:54:07Z",
        delivery: String? = nil, items: [Checkout.Item] = [item()], matrix: [[Double]]? = nil,
        address: Checkout.Address? = nil, extra: [String: JSONValue]? = nil
    ) -> Checkout {
        Checkout(
            orderID: order, placedAt: placed, deliveryDate: delivery, total: .init(cents: 1, currency: .eur),
            items: items, payment: .card, address: address, matrix: matrix, extra: extra)
    }

    private static func item(
        sku: String = "A", count: Int = 1, cents: Int = 1, tags: [String]? = nil
    ) -> Checkout.Item {
        .init(sku: sku, count: count, price: .init(cents: cents, currency: .dollar), tags: tags)
    }

    private static func plan() throws -> CompiledPlan {
        try CompiledPlan(EventPlan.standard.adding(PlanFolder(path: FixturePlan.everything)))
    }

    @Test("Every example becomes a valid line, and encoding gives the same values")
    func examples() throws {
        let recorder = TrackingRecorder(exhaustivity: .off)
        let environment = TrackingEnvironment<NoRoute>.mock(recording: recorder)
        func send<Event: TrackingEvent>(_ event: Event) throws {
            try event.validate()
            #expect(environment.tracking.send(event) != nil)
            guard Event.carriesValue else { return }
            var json = JSONWriter()
            try event.writeValue(to: &json)
            #expect(try JSONParser.parse(JSONEncoder().encode(event)) == JSONParser.parse(json.bytes))
        }
        for event in SchemaExamples.events() { try send(event) }
        var checker = LineChecker(try Self.plan())
        #expect(recorder.log.records.count == 7)
        for record in recorder.log.records {
            #expect(record.line.withUnsafeBytes { checker.check($0).findings } == [])
        }
    }

    @Test("Priorities match the schemas, and their names match the SDK")
    func priority() {
        func priority<Event: TrackingEvent>(_ event: Event) -> EventPriority { Event.priority }
        let events: [any TrackingEvent] = [Self.checkout(), TutorialSkipped()]
        #expect(events.map { priority($0) } == [.critical, .normal])
        #expect(SchemaPriority.allCases.map(\.rawValue) == EventPriority.allCases.map(\.rawValue))
    }

    @Test(
        "Events past a limit are dropped and counted with the limit, and the validator agrees",
        arguments: [
            (checkout(order: "0165cddb-1e98-7000-8000-00000000000"), "order_id", "format: uuid"),
            (checkout(order: "0165cddb-1e98-7000-8000-00000000000g"), "order_id", "format: uuid"),
            (checkout(placed: "2018-09-12 11:54:07Z"), "placed_at", "format: date-time"),
            (checkout(placed: "2018-09-12T11:54:60Z"), "placed_at", "format: date-time"),
            (checkout(delivery: "2019-02-29"), "delivery_date", "format: date"),
            (checkout(items: []), "items", "minItems: 1"),
            (checkout(items: Array(repeating: item(), count: 51)), "items", "maxItems: 50"),
            (checkout(items: [item(sku: "")]), "items[0].sku", "minLength: 1"),
            (checkout(items: [item(sku: "A-")]), "items[0].sku", "pattern: ^[A-Z]+(-[0-9]{1,3})?$"),
            (checkout(items: [item(tags: ["a b"])]), "items[0].tags[0]", "pattern: ^[^ ]*$"),
            (checkout(items: [item(sku: String(repeating: "é", count: 33))]), "items[0].sku", "maxLength: 32"),
            (checkout(items: [item(count: 0)]), "items[0].count", "minimum: 1"),
            (checkout(items: [item(count: 101)]), "items[0].count", "maximum: 100"),
            (checkout(items: [item(cents: -1)]), "items[0].price.cents", "minimum: 0"),
            (checkout(items: [item(tags: ["a", "b", "a"])]), "items[0].tags", "uniqueItems: true"),
            (checkout(items: [item(tags: ["a", ""])]), "items[0].tags[1]", "minLength: 1"),
            (checkout(matrix: [[1, 2, 3, 4]]), "matrix[0]", "maxItems: 3"),
            (checkout(matrix: [[1], [2, .nan]]), "matrix[1][1]", "type: number"),
            (checkout(matrix: [[-9_007_199_254_740_992]]), "matrix[0][0]", "type: number"),
            (checkout(address: .init(country: "DEU")), "address.country", "maxLength: 2"),
            (
                checkout(address: .init(country: "DE", geo: .init(latitude: 90.5, longitude: 0))),
                "address.geo.latitude", "maximum: 90.0"
            ),
            (
                checkout(address: .init(country: "DE", geo: .init(latitude: 0, longitude: -180))),
                "address.geo.longitude", "exclusiveMinimum: -180.0"
            ),
            (checkout(extra: ["a": 1, "b": 2, "c": 3, "d": 4, "e": 5]), "extra", "maxProperties: 4"),
        ])
    func limits(event: Checkout, property: String, limit: String) throws {
        let text = "\(property) violates the schema's \(limit)"
        let error = #expect(throws: TrackingEventError.self) { try event.validated() }
        #expect(error?.description == text)
        let recorder = TrackingRecorder(exhaustivity: .off)
        let environment = TrackingEnvironment<NoRoute>.mock(recording: recorder)
        #expect(environment.tracking.send(event) == nil)
        #expect(recorder.log.records.isEmpty)
        #expect(recorder.diagnostics.map { "\($0)" }.contains { $0.contains(property) })
        #expect(throws: TrackingEventError.self) { try JSONEncoder().encode(event) }
    }

    @Test(
        "Events at their limits are sent and valid",
        arguments: [
            checkout(placed: "2018-09-12t11:54:07.123456789+23:59"), checkout(placed: "2016-12-31T15:59:60-08:00"),
            checkout(delivery: "2020-02-29"), checkout(items: Array(repeating: item(), count: 50)),
            checkout(items: [item(sku: String(repeating: "A", count: 32))]),
            checkout(items: [item(count: 100, cents: 99_999_999, tags: [])]),
            checkout(items: [item(tags: [String(repeating: "🌊", count: 40)])]),
            checkout(items: [item(tags: (0..<40).map { "\($0)" })]),
            checkout(matrix: [[-0.0, 1e-300, .greatestFiniteMagnitude], [9_007_199_254_740_991, 1e15, -1e16]]),
            checkout(address: .init(country: "JP", geo: .init(latitude: -90, longitude: 180.5))),
        ])
    func ends(event: Checkout) throws {
        let recorder = TrackingRecorder(exhaustivity: .off)
        #expect(TrackingEnvironment<NoRoute>.mock(recording: recorder).tracking.send(event) != nil)
        let record = try #require(recorder.log.records.first)
        var checker = LineChecker(try Self.plan())
        #expect(record.line.withUnsafeBytes { checker.check($0).findings } == [])
    }

    @Test("Personal data is redacted as in the schema, and dropped properties are never written")
    func redaction() throws {
        let event = SignIn(
            method: .password, email: "user@example.com", displayName: "Zoë", phone: "+49 30 1234", postcode: "10115",
            friends: ["abc"], initials: ["e\u{301}x"])
        let text = """
            {"method":"password","email":"b4c9a289323b21a01c3e940f150eb9b8c542587f1abfd8f0e1cc1ffc5e475514",\
            "display_name":"Zoë","postcode":"10",\
            "friends":["ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],"initials":["e"]}
            """
        var json = JSONWriter()
        try event.writeValue(to: &json)
        #expect(String(decoding: json.bytes, as: UTF8.self) == text)
        #expect(try JSONParser.parse(JSONEncoder().encode(event)) == JSONParser.parse(Array(text.utf8)))
        #expect(event.email == "user@example.com")
    }
}
