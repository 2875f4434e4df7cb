import Primitives
import Testing
import TrackerFixtures
import TrackingCore

@testable import Tracking

@Suite("Responses to notifications, rule 3")
struct NotificationResponsesTests {
    private let sent = SentEvents()
    private let completions = Counts()

    private func respond(
        userInfo: [AnyHashable: Any] = ["id": 7], next: ((@escaping @Sendable () -> Void) -> Void)? = nil
    ) {
        NotificationResponses.respond(
            identifier: "new-release", userInfo: userInfo, with: sent.tracker, next: next
        ) { [sent, completions] in completions.add(sent.names.count) }
    }

    @Test("a response sends notification, then calls the completion handler once")
    func response() {
        respond()
        let event = NotificationResponse(identifier: "new-release", userInfo: ["id": 7])
        #expect(sent.events(NotificationResponse.self) == [event])
        #expect(completions.all == [1])
    }

    @Test("the completion handler is called even if the event is dropped")
    func dropped() {
        respond(userInfo: ["handle": SentEvents()])
        #expect(sent.drops == ["notification: encoding"])
        #expect(completions.all == [0])
    }

    @Test("an app's own delegate completes the response, and completing it again does nothing")
    func next() {
        let calls = Counts()
        respond { complete in
            calls.add()
            complete()
            complete()
        }
        #expect(sent.names == ["notification"])
        #expect(calls.all == [1])
        #expect(completions.all == [1])
    }

    @Test("nothing completes before the app's own delegate does")
    func unfinished() {
        respond { _ in }
        #expect(completions.all == [])
    }
}

/// Numbers added by callbacks, in order.
final class Counts: Sendable {
    private let numbers = Locked<[Int]>([])

    var all: [Int] { numbers.withLock { $0 } }

    func add(_ number: Int = 1) { numbers.withLock { $0.append(number) } }
}
