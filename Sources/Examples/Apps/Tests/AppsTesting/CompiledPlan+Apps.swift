internal import Foundation
public import TrackingTesting

extension CompiledPlan {
    /// The standard events, and the events in a target's folder `Schemas`.
    public static func ofSchemas(in target: String) throws -> CompiledPlan {
        let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Sources").standardized
        return try CompiledPlan(EventPlan.standard.adding(PlanFolder(path: "\(sources.path)/\(target)/Schemas")))
    }
}
