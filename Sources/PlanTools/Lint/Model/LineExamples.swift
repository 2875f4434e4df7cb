internal import TrackingPlan

/// The lines in `examples/good` and `examples/bad`.
struct LineExamples {
    let plan: LintPlan

    init(_ plan: LintPlan) { self.plan = plan }

    var goodFaults: [LintFault] { [] }
    var badFaults: [LintFault] { [] }
}
