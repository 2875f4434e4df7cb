// swift-format-ignore-file
import Testing
import Tracking
import TrackingTesting

@Test("launch fires")
func launchFires() {
    let recorder = TrackingRecorder()
    let tracker = Tracker.mock(recording: recorder)
    let event = Launch()
    // Replace the next statement with the code of your app that sends the event.
    tracker.send(event)
    recorder.expect(event)
}
