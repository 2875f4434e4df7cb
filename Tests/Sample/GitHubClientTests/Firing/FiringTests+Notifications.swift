import Testing
import TrackingCore
import TrackingTesting

@testable import GitHubClient

extension FiringTests.Notifications {
    @Test("3: a response to a notification fires notification, then calls the completion handler once")
    func notificationResponse() {
        var completions = 0
        NotificationHandler(environment: environment).didReceive(
            identifier: "new-release", userInfo: ["tag": "6.3", "read": false]
        ) {
            completions += 1
            recorder.expect(NotificationResponse(identifier: "new-release", userInfo: ["read": false, "tag": "6.3"]))
        }
        recorder.expect()
        #expect(completions == 1)
    }

    @Test("3: a link in a notification opens its repository once, after the event")
    func notificationLink() {
        NotificationHandler(environment: environment).didReceive(
            identifier: "issue", userInfo: ["repository_id": 2]
        ) {}
        recorder.expectSteps(
            .event(NotificationResponse(identifier: "issue", userInfo: ["repository_id": 2])),
            .route(GitHubRoute.repositoryDetailByID(2)))
    }
}
