internal import Foundation
public import TrackingTesting

extension CompiledPlan {
    /// The standard events, and the events in this package's folder `Schemas`.
    public static func ofExamples() throws -> CompiledPlan { try examples.get() }

    /// Compiled once for all tests.
    private static let examples = Result {
        let schemas = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Schemas").standardized
        return try CompiledPlan(EventPlan.standard.adding(PlanFolder(path: schemas.path)))
    }
}
