import Foundation
import TrackingCore
import TrackingTesting

/// Sends every example of the app's schemas and prints the lines. Whatever is wrong ends it with a word on it.
func check(_ isRight: Bool, _ message: String) {
    guard !isRight else { return }
    FileHandle.standardError.write(Data("codegen-client: \(message)\n".utf8))
    exit(1)
}

enum ClientRoute: RouteCommand { case home }

let recorder = TrackingRecorder()
let tracking = TrackingEnvironment<ClientRoute>.mock(recording: recorder).tracking
let encoder = JSONEncoder()

func send<Event: TrackingEvent>(_ event: Event) throws {
    try event.validate()
    check(tracking.send(event) != nil, "an example of \(Event.name) was dropped")
    guard Event.carriesValue else { return }
    var json = JSONWriter()
    try event.writeValue(to: &json)
    check(
        try JSONParser.parse(encoder.encode(event)) == JSONParser.parse(json.bytes),
        "\(Event.name) encodes another value than it writes")
}

for event in SchemaExamples.events() { try send(event) }

// Pages are those of the plan. The same call with a misspelt one doesn't compile: see MisspeltClient.
for page in [ClientPage.basket, .article(url: "https://example.com/1"), .orderHistory(in: "2026"), .orderHistory()] {
    try send(.pageView(page))
}
try send(.pageView(.default))
try send(.pageView(.namePage))

// What is beyond a limit is dropped, and said.
let late = Checkout(
    orderID: "no-uuid", placedAt: "2018-09-12T11:54:07Z", total: .init(cents: 1, currency: .eur), items: [],
    payment: .card)
check(tracking.send(late) == nil, "an order without a UUID was sent")
do {
    try tracking.send(
        .checkout(
            orderID: "0165cddb-1e98-7000-8000-000000000001", placedAt: "2018-09-12T11:54:07Z",
            total: .init(cents: 1, currency: .eur),
            items: [.init(sku: "A", count: 1, price: .init(cents: -1, currency: .eur))], payment: .payPal
        ).validated())
    check(false, "a negative price was sent")
} catch {
    check("\(error)" == "items[0].price.cents violates the schema's minimum: 0", "another error: \(error)")
}

for record in recorder.log.records { print(String(decoding: record.line, as: UTF8.self)) }
