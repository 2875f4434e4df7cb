internal import ArgumentParser
internal import Foundation
internal import TrackingPlan

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

/// How many threads work on lines.
struct JobsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("How many threads read and count (default: one for each processor).", valueName: "count"))
    var jobs: Int?

    func validate() throws {
        guard (1...256).contains(jobs ?? 1) else { throw ValidationError("--jobs must be between 1 and 256") }
    }

    /// How many threads there are.
    var threads: Int { jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }
}

/// Which plan lines are checked against.
struct PlanOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The folder with container/ and events/; with events/ or pages.json alone it is added to the SDK's own schemas \
            (default: \(DefaultPlanFolder.description)).
            """, valueName: "folder"))
    var schemas: String?

    /// The plan to check against.
    ///
    /// - Throws: `PlanError`; ``CommandFailure``: `noInput`, `usage`.
    func plan() throws -> ScanPlan {
        try ScanPlan(folder: schemas ?? DefaultPlanFolder.find(passing: "by --schemas"))
    }

    /// The plan to check against; nil if no folder was named, and there is none of the default's name.
    ///
    /// - Throws: `PlanError`; ``CommandFailure``, `usage`, if there are several.
    func planIfThere() throws -> ScanPlan? {
        if schemas == nil, DefaultPlanFolder.candidates.isEmpty { return nil }
        return try plan()
    }
}

/// The plan that lines are checked against, and where it came from.
struct ScanPlan {
    let plan: EventPlan
    /// The plan, ready to check lines.
    let compiled: CompiledPlan
    private let folder: PlanFolder
    /// The names of the events that the folder describes or picks by a set; nil if the folder is a whole plan.
    private let ownNames: Set<String>?

    /// The folder as messages name it.
    var name: String { folder.name }

    /// Reads a folder with container/ and events/, or one of an app, which has events/ only and is added to the SDK's own
    /// schemas.
    ///
    /// - Throws: `PlanError`: `noFolder`, `unreadable`, `notASchema`.
    init(folder path: String) throws {
        folder = try PlanFolder(path: path)
        let own = try EventPlan(folder)
        plan = own.hasContainer ? own : try EventPlan.standard.adding(folder)
        compiled = try CompiledPlan(plan)
        guard !own.hasContainer else {
            ownNames = nil
            return
        }
        let standard = Set(EventPlan.standard.events.map(\.name))
        let picked = try EventPlan.base(of: folder).events.map(\.name).filter { !standard.contains($0) }
        ownNames = Set(own.events.map(\.name) + picked)
    }

    /// Whether a schema is of the folder or of a set that it picks. Of an app's plan, the standard events and the envelope
    /// are not: they come with the SDK, whether the app sends them or not.
    func isOwn(_ schema: PlanSchema) -> Bool { ownNames?.contains(schema.name) ?? true }

    /// Whether lines are expected to have an event: it is the plan's own, or `page-view`, if the plan lists pages.
    func expects(_ event: PlanSchema) -> Bool {
        isOwn(event) || (event.name == PlannedPages.eventName && plan.pages?.pages.isEmpty == false)
    }

    /// The file of a schema; nil for the SDK's own.
    func location(of schema: PlanSchema) -> String? {
        folder.file(schema.path).map { folder.location(of: $0.path) }
    }
}
