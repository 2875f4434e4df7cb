internal import ArgumentParser

/// How lines are checked against a plan.
struct ScanOptions: ParsableArguments {
    @OptionGroup var planOptions: PlanOptions
    @OptionGroup var jobs: JobsOptions

    /// How many threads there are.
    var threads: Int { jobs.threads }

    /// The plan to check against.
    ///
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`, `dataAtFault`.
    func plan() throws -> ScanPlan { try planOptions.plan() }

    /// The plan to check against; nil if no folder was named, and there is none of the default's name.
    ///
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`, `dataAtFault`.
    func planIfThere() throws -> ScanPlan? { try planOptions.planIfThere() }
}
