// swift-format-ignore-file
import Testing
import Tracking
import TrackingTesting

@Test("page-view fires")
func pageViewFires() {
    let recorder = TrackingRecorder()
    let tracker = Tracker.mock(recording: recorder)
    let event = PageView(page: "repository-search", additional: "swift")
    // Replace the next statement with the code of your app that sends the event.
    tracker.send(event)
    recorder.expect(event)
}
