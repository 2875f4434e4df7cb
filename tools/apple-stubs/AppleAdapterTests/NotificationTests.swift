import EventLog
import JSONLines
import Primitives
import Testing
import TrackerFixtures
import Tracking
import TrackingCore
import UserNotifications

@Suite("UserNotifications")
struct NotificationTests {
    private let sent = SentEvents()
    private let center = UNUserNotificationCenter()
    private let completions = Counts()
    private let options = Counts()

    private func notification(_ userInfo: [AnyHashable: Any] = ["id": 7]) -> UNNotification {
        let content = UNNotificationContent(userInfo: userInfo)
        return UNNotification(UNNotificationRequest(identifier: "new-release", content: content))
    }

    private func respond(_ notification: UNNotification) {
        center.delegate?.userNotificationCenter(center, didReceive: UNNotificationResponse(notification)) {
            [completions, sent] in completions.add(sent.names.count)
        }
    }

    private func present() {
        center.delegate?.userNotificationCenter(center, willPresent: notification()) { [options] in
            options.add(Int($0.rawValue))
        }
    }

    @Test("a response sends notification, then completes once")
    func response() {
        let delegate = TrackedNotificationDelegate(sent.tracker)
        center.delegate = delegate
        respond(notification())
        let event = NotificationResponse(identifier: "new-release", userInfo: ["id": 7])
        #expect(sent.events(NotificationResponse.self) == [event])
        #expect(completions.all == [1])
        center.delegate?.userNotificationCenter(center, openSettingsFor: nil)
        withExtendedLifetime(delegate) {}
    }

    @Test("a response whose event is dropped completes once")
    func dropped() {
        let delegate = TrackedNotificationDelegate(sent.tracker)
        center.delegate = delegate
        respond(notification(["object": center]))
        #expect(sent.drops == ["notification: encoding"])
        #expect(completions.all == [0])
        withExtendedLifetime(delegate) {}
    }

    @Test("an app's own delegate has every call, completes it once, and chooses how a notification is presented")
    func next() {
        let next = NextNotificationDelegate()
        let delegate = TrackedNotificationDelegate(sent.tracker, next: next)
        center.delegate = delegate
        respond(notification())
        present()
        center.delegate?.userNotificationCenter(center, openSettingsFor: notification())
        #expect(next.calls == ["response new-release", "present new-release", "settings"])
        #expect(completions.all == [1])
        #expect(options.all == [Int(UNNotificationPresentationOptions([.banner, .sound]).rawValue)])
        withExtendedLifetime(delegate) {}
    }

    @Test("without an app's own delegate a notification is not presented, as without any delegate")
    func presentation() {
        let delegate = TrackedNotificationDelegate(sent.tracker)
        center.delegate = delegate
        present()
        #expect(options.all == [0])
        withExtendedLifetime(delegate) {}
    }
}
