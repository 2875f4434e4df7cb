// swift-format-ignore-file
import Testing
import Tracking
import TrackingTesting

@Test("checkout fires")
func checkoutFires() {
    let recorder = TrackingRecorder()
    let tracker = Tracker.mock(recording: recorder)
    let event = Checkout(orderID: "0165cddb-1e98-7000-8000-000000000001", placedAt: "2018-09-12T11:54:07.351Z", total: .init(cents: 1999, currency: .eur), items: [.init(sku: "A-1", count: 1, price: .init(cents: 1999, currency: .eur))], payment: .card)
    // Replace the next statement with the code of your app that sends the event.
    tracker.send(event)
    recorder.expect(event)
}
