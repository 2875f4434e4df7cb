// swift-format-ignore-file
import Testing
import Tracking
import TrackingLifeCycle
import TrackingTesting

@Test("app-opened fires")
func appOpenedFires() {
    let recorder = TrackingRecorder()
    let tracker = Tracker.mock(recording: recorder)
    let event = AppOpened(version: "2.1", build: "210", fromBackground: false)
    // Replace the next statement with the code of your app that sends the event.
    tracker.send(event)
    recorder.expect(event)
}
