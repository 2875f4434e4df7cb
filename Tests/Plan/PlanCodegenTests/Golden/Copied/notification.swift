// swift-format-ignore-file
import Testing
import Tracking
import TrackingTesting

@Test("notification fires")
func notificationFires() {
    let recorder = TrackingRecorder()
    let tracker = Tracker.mock(recording: recorder)
    let event = NotificationResponse(identifier: "new", userInfo: ["tag": .string("6.3"), "read": .bool(false), "list": .array([.integer(1), .number(2.5), .null, .object([:])])])
    // Replace the next statement with the code of your app that sends the event.
    tracker.send(event)
    recorder.expect(event)
}
