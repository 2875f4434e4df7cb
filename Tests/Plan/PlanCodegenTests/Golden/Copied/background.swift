// swift-format-ignore-file
import Testing
import Tracking
import TrackingTesting

@Test("background fires")
func backgroundFires() {
    let recorder = TrackingRecorder()
    let tracker = Tracker.mock(recording: recorder)
    let event = Background()
    // Replace the next statement with the code of your app that sends the event.
    tracker.send(event)
    recorder.expect(event)
}
