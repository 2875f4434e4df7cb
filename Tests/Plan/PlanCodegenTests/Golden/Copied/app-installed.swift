// swift-format-ignore-file
import Testing
import Tracking
import TrackingLifeCycle
import TrackingTesting

@Test("app-installed fires")
func appInstalledFires() {
    let recorder = TrackingRecorder()
    let tracker = Tracker.mock(recording: recorder)
    let event = AppInstalled(version: "2.1", build: "210")
    // Replace the next statement with the code of your app that sends the event.
    tracker.send(event)
    recorder.expect(event)
}
