import Foundation
import PlanPages
import Testing
import TrackingPlan

@Suite("The generated pages in Schemas")
struct PagesInSchemasTests {
    private static let schemas = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Schemas")
        .standardized.path

    @Test("The pages are up to date; trackctl schema docs writes them")
    func fresh() throws {
        let folder = try PlanFolder(path: Self.schemas)
        let stale = PlanPage.files(of: try EventPlan(folder)).filter { folder.file($0.path) != $0 }
        #expect(stale.map(\.path) == [], "run trackctl schema docs")
    }
}
