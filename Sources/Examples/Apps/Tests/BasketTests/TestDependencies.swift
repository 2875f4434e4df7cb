import AppsTesting
import Basket
import TrackingTesting

/// Runs a test with a recording tracker. Unasserted events fail the test when the recorder is released, at the end of
/// this function.
@MainActor
func withTestDependencies(
    paying pay: @escaping @Sendable (_ articles: [String]) async -> Result<Int, PaymentFailure> = {
        .success($0.count)
    },
    _ test: @MainActor (TrackingRecorder) async throws -> Void
) async throws {
    let recorder = try TrackingRecorder(validatingAgainst: .ofSchemas(in: "Basket"))
    try await withDependencies {
        $0.tracker = .mock(recording: recorder)
        $0.pay = pay
    } operation: {
        try await test(recorder)
    }
}
