// swift-format-ignore-file
import Testing
import Tracking
import TrackingDomainEvents
import TrackingTesting

@Test("search fires")
func searchFires() {
    let recorder = TrackingRecorder()
    let tracker = Tracker.mock(recording: recorder)
    let event = Search(query: "a \"b\"\n\\(c) \u{202E}", page: 9007199254740991)
    // Replace the next statement with the code of your app that sends the event.
    tracker.send(event)
    recorder.expect(event)
}
