import Foundation
import Testing
import TrackingTesting

@testable import GitHubClient

@Suite("The app's plan")
struct AppPlanTests {
    @Test("lists the app's pages, and the firing tests check events against it")
    func pages() throws {
        let plan = try #require(CompiledPlan.ofGitHubClient)
        let pages: [Page] = [.repositorySearch, .repositoryDetail(url: "https://github.com/apple/swift")]
        #expect(plan.plan.pages?.pages.map(\.name) == pages.map(\.name))
        #expect(plan.plan.pages?.pages.map { $0.additional != nil } == pages.map { $0.additional != nil })
    }
}

extension CompiledPlan {
    /// The plan of the app: the standard events, and the app's pages. A test fails if it is nil.
    static let ofGitHubClient: CompiledPlan? = {
        let schemas = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../Sources/Sample/GitHubClient/Schemas").standardized
        return try? CompiledPlan(EventPlan.standard.adding(PlanFolder(path: schemas.path)))
    }()
}
