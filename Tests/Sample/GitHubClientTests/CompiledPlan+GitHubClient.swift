import Foundation
import TrackingTesting

extension CompiledPlan {
    /// The plan of the app: the standard events, and the app's pages. A test fails if it is nil.
    static let ofGitHubClient: CompiledPlan? = {
        let schemas = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../Sources/Sample/GitHubClient/Schemas").standardized
        return try? CompiledPlan(EventPlan.standard.adding(PlanFolder(path: schemas.path)))
    }()
}
