internal import ArgumentParser
internal import CommandSupport
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
            (default: Schemas).
            """, valueName: "folder"))
    var schemas: String?

    /// The plan to check against.
    ///
    /// - Throws: `PlanError`; ``CommandFailure``, `noInput`.
    func plan() throws -> ScanPlan {
        if let schemas { return try ScanPlan(folder: schemas) }
        do {
            return try ScanPlan(folder: Self.defaultFolder)
        } catch let error as PlanError where error.code == .noFolder {
            throw CommandFailure(
                .noInput, "there is no folder \(Self.defaultFolder) here: name the folder with events/ by --schemas")
        }
    }

    /// The plan to check against; nil if no folder was named, and there is none of the default's name.
    ///
    /// - Throws: `PlanError`; ``CommandFailure``, `noInput`.
    func planIfThere() throws -> ScanPlan? {
        if schemas == nil, !FileManager.default.fileExists(atPath: Self.defaultFolder) { return nil }
        return try plan()
    }

    private static let defaultFolder = "Schemas"
}

/// The plan that lines are checked against, and where it came from.
struct ScanPlan {
    let plan: EventPlan
    /// The plan, ready to check lines.
    let compiled: CompiledPlan
    private let folder: PlanFolder

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
    }

    /// The file of a schema; nil for the SDK's own.
    func location(of schema: PlanSchema) -> String? {
        folder.file(schema.path).map { folder.location(of: $0.path) }
    }
}
