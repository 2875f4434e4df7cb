import Foundation
import TrackingTesting

extension CompiledPlan {
    /// The standard events, and those in the folder `Schemas` of an example.
    static func ofSchemas(in example: String) throws -> CompiledPlan {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let schemas = tests.appendingPathComponent("../../../Sources/Examples/\(example)/Schemas").standardized.path
        return try CompiledPlan(EventPlan.standard.adding(PlanFolder(path: schemas)))
    }
}
