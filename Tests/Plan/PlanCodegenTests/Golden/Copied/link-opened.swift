// swift-format-ignore-file
import Testing
import Tracking
import TrackingLifeCycle
import TrackingTesting

@Test("link-opened fires")
func linkOpenedFires() {
    let recorder = TrackingRecorder()
    let tracker = Tracker.mock(recording: recorder)
    let event = LinkOpened(url: "https://shop.example.com/sale?a=1&b=%20")
    // Replace the next statement with the code of your app that sends the event.
    tracker.send(event)
    recorder.expect(event)
}
