import Foundation
import PlanTools
import Testing
import TrackingPlan

@Suite("The linter")
struct PlanLinterTests {
    static let schemas = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Schemas").standardized.path

    @Test("finds nothing in the schemas of this package")
    func clean() throws {
        #expect(try PlanLinter.findings(in: PlanFolder(path: Self.schemas)).map(\.description) == [])
    }
}
