internal import ArgumentParser
internal import Foundation
internal import TrackingPlan

/// Options for checking lines against a plan.
struct ScanOptions: ParsableArguments {
    @OptionGroup var planOptions: PlanOptions
    @OptionGroup var jobs: JobsOptions

    /// The number of threads.
    var threads: Int { jobs.threads }

    /// The plan to check against.
    ///
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`, `dataError`.
    func plan() throws -> ScanPlan { try planOptions.plan() }

    /// The plan to check against; nil if no folder was given and no default folder exists.
    ///
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`, `dataError`.
    func planIfThere() throws -> ScanPlan? { try planOptions.planIfThere() }
}

/// The number of threads.
struct JobsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Number of threads (default: one per processor).", valueName: "count"))
    var jobs: Int?

    func validate() throws {
        guard (1...256).contains(jobs ?? 1) else { throw ValidationError("--jobs must be between 1 and 256") }
    }

    /// The number of threads.
    var threads: Int { jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }
}

/// The plan to check lines against.
struct PlanOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Folder with container/ and events/. If it has only events/ or pages.json, it extends the SDK's own schemas \
            (default: \(DefaultPlanFolder.description)).
            """, valueName: "folder"))
    var schemas: String?

    /// The plan to check against.
    ///
    /// - Throws: `PlanError`; ``CommandFailure``: `noInput`, `usage`.
    func plan() throws -> ScanPlan {
        try ScanPlan(folder: schemas ?? DefaultPlanFolder.find(passing: "by --schemas"))
    }

    /// The plan to check against; nil if no folder was given and no default folder exists.
    ///
    /// - Throws: `PlanError`; ``CommandFailure``, `usage`, if there are several default folders.
    func planIfThere() throws -> ScanPlan? {
        if schemas == nil, DefaultPlanFolder.candidates.isEmpty { return nil }
        return try plan()
    }
}

/// The plan that lines are checked against, with its folder.
struct ScanPlan {
    let plan: EventPlan
    let compiled: CompiledPlan
    private let folder: PlanFolder
    /// The names of the events that the folder defines or picks from a set; nil if the folder is a whole plan.
    private let ownNames: Set<String>?

    /// The folder's name in messages.
    var name: String { folder.name }

    /// Reads a folder with container/ and events/, or an app's folder, which has only events/ and extends the SDK's
    /// own schemas.
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

    /// Whether the folder, or a set that it picks from, defines a schema. In an app's plan, the standard events and
    /// the envelope come from the SDK.
    func isOwn(_ schema: PlanSchema) -> Bool { ownNames?.contains(schema.name) ?? true }

    /// Whether logs should contain an event: it is the plan's own, or it is `page-view` and the plan lists pages.
    func expects(_ event: PlanSchema) -> Bool {
        isOwn(event) || (event.name == PlannedPages.eventName && plan.pages?.pages.isEmpty == false)
    }

    /// The file of a schema; nil for the SDK's own.
    func location(of schema: PlanSchema) -> String? {
        folder.file(schema.path).map { folder.location(of: $0.path) }
    }
}
