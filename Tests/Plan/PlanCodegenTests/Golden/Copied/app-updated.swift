// swift-format-ignore-file
import Testing
import Tracking
import TrackingLifeCycle
import TrackingTesting

@Test("app-updated fires")
func appUpdatedFires() {
    let recorder = TrackingRecorder()
    let tracker = Tracker.mock(recording: recorder)
    let event = AppUpdated(version: "2.1", build: "210", previousVersion: "2.0", previousBuild: "198")
    // Replace the next statement with the code of your app that sends the event.
    tracker.send(event)
    recorder.expect(event)
}
