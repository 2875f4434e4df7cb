import TestTimes
import Testing

/// The firing rules 1 to 17 by feature, in the order in which `Behaviour.md` shows them. Each test begins with the number of
/// its rule; the tests of a feature stand in the file that is named like it.
@Suite("The firing rules: what fires when", .shuffled, .timed)
struct FiringTests {
    @Suite("Launch and background")
    struct LifeCycle: AppSuite { let app = TestApp() }

    @Suite("Notifications")
    struct Notifications: AppSuite { let app = TestApp() }

    @Suite("The search screen")
    struct SearchScreen: AppSuite { let app = TestApp() }

    @Suite("The pages of the results")
    struct Paging {}

    @Suite("Failed requests")
    struct FailedRequests {}

    @Suite("The screen of a repository")
    struct Detail: AppSuite { let app = TestApp() }
}
