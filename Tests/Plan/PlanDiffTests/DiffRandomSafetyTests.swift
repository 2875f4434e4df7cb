import Testing
import TrackingPlan

@testable import PlanDiff

/// Bumps of random pairs of schemas with undecided sets are checked with a validator and matching documents.
@Suite("Bumps of random schemas")
struct DiffRandomSafetyTests {
    private static let pairsASeed = 150
    private static let documentsAPair = 60

    @Test("An invalidated document needs a model", arguments: 1...4)
    func models(_ seed: Int) throws {
        var random = RandomOpenSchemas(seed: UInt64(seed))
        var open = 0
        var broken = 0
        for _ in 0..<Self.pairsASeed {
            let old = random.schema()
            let new = random.changed(old)
            let documents = (0..<Self.documentsAPair).map { _ in random.document() }
            guard old != new, let judges = Self.judges(old.json, new.json),
                let lost = documents.first(where: { judges.old.accepts($0) == true && judges.new.accepts($0) == false })
            else { continue }
            broken += 1
            let diff = try TestPlan.diff(old.json, new.json)
            if diff.basis == .rule { open += 1 }
            #expect(diff.needed == .model, "\(lost) of \(old.json) in \(new.json)")
        }
        #expect(broken > 5)
        #expect(open > 0, "the rules had to decide \(open) of \(broken) pairs")
    }

    /// nil for an invalid schema.
    private static func judges(_ old: String, _ new: String) -> (old: DiffJudge, new: DiffJudge)? {
        let folder = TestPlan.folder([("1-0-0", old), ("2-0-0", new)])
        guard let plan = try? EventPlan(folder) else { return nil }
        let side = PlanSide(folder, plan)
        guard let before = try? side.judge(plan.events[0]), let after = try? side.judge(plan.events[1]) else {
            return nil
        }
        return (before, after)
    }
}
