import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// Runs screen tests only on an idle machine: next to a thousand other tests, a screen may not be drawn for minutes. `tools/run-tests`, and so
    /// `make test`, runs them after all others.
    static var ofScreens: ConditionTrait {
        .enabled(
            if: ProcessInfo.processInfo.environment["TRACKING_SCREEN_TESTS"] == "1",
            "TRACKING_SCREEN_TESTS=1 swift test --filter ScreenTests runs it; tools/run-tests does")
    }
}
