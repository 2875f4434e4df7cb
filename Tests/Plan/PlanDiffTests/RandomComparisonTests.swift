import Testing
import TrackingPlan

@testable import PlanDiff

/// Results for random pairs of schemas are checked with a validator and random documents.
@Suite("Comparing random schemas")
struct RandomComparisonTests {
    private static let pairsASeed = 60
    private static let documentsAPair = 200

    private struct Sides {
        let old: DiffJudge
        let new: DiffJudge
        let sets: SetComparison

        /// nil for an invalid schema.
        init?(_ old: String, _ new: String) throws {
            let folder = TestPlan.folder([("1-0-0", old), ("1-0-1", new)])
            guard let plan = try? EventPlan(folder), plan.events.count == 2 else { return nil }
            let side = PlanSide(folder, plan)
            guard let before = try? side.judge(plan.events[0]), let after = try? side.judge(plan.events[1]),
                let old = try? side.library.root(of: plan.events[0]),
                let new = try? side.library.root(of: plan.events[1])
            else { return nil }
            (self.old, self.new) = (before, after)
            let words = SchemaWords(plan.events.map(\.document))
            sets = SetComparison(
                old, new, words: words, check: WitnessCheck(old: before, new: after, order: words.order))
        }
    }

    @Test("No proof is refuted by a document, and every witness is confirmed", arguments: 1...6)
    func claims(_ seed: Int) throws {
        var random = RandomSchemas(seed: UInt64(seed))
        var decided = 0
        var compared = 0
        for _ in 0..<Self.pairsASeed {
            let old = random.schema()
            let new = Bool.random(using: &random) ? random.neighbour(of: old) : random.schema()
            guard let sides = try Sides(old, new) else { continue }
            compared += 1
            if sides.sets.oldInNew.openReason == nil { decided += 1 }
            for witness in sides.sets.oldInNew.witnesses {
                #expect(sides.old.accepts(witness.json) == true, "\(witness.json) of \(old)")
                #expect(sides.new.accepts(witness.json) == false, "\(witness.json) of \(new)")
            }
            for witness in sides.sets.newInOld.witnesses {
                #expect(sides.new.accepts(witness.json) == true, "\(witness.json) of \(new)")
                #expect(sides.old.accepts(witness.json) == false, "\(witness.json) of \(old)")
            }
            for _ in 0..<Self.documentsAPair {
                let document = random.value()
                guard let isOld = sides.old.accepts(document), let isNew = sides.new.accepts(document) else { continue }
                if isOld, !isNew { #expect(!sides.sets.oldInNew.isContained, "\(document) of \(old) in \(new)") }
                if isNew, !isOld { #expect(!sides.sets.newInOld.isContained, "\(document) of \(new) in \(old)") }
            }
        }
        #expect(compared > Self.pairsASeed / 2)
        #expect(decided * 10 >= compared * 8, "\(decided) of \(compared) pairs were decided")
    }
}
