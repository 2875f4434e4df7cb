internal import ArgumentParser
internal import CommandSupport
internal import Foundation
internal import TrackingPlan

/// How lines are checked against a plan.
struct ScanOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The folder with container/ and events/ (default: Schemas).", valueName: "folder"))
    var schemas: String?

    @Option(
        help: ArgumentHelp(
            "How many threads read and check (default: one for each processor).", valueName: "count"))
    var jobs: Int?

    func validate() throws {
        guard (1...256).contains(jobs ?? 1) else { throw ValidationError("--jobs must be between 1 and 256") }
    }

    /// How many threads there are.
    var threads: Int { jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }

    /// The folder as messages name it.
    var folder: String { schemas ?? "Schemas" }

    /// The plan to check against.
    ///
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`, `dataAtFault`.
    func plan() throws -> EventPlan {
        do throws(PlanError) {
            return try EventPlan(PlanFolder(path: folder))
        } catch {
            guard schemas == nil, error.code == .noFolder else { throw CommandFailure(error) }
            throw CommandFailure(
                .noInput, "there is no folder Schemas here: name the folder with container/ and events/ by --schemas")
        }
    }

    /// A plan, ready to check lines.
    ///
    /// - Throws: ``CommandFailure``, `dataAtFault`, if a schema does not compile.
    func compile(_ plan: EventPlan) throws -> CompiledPlan {
        do throws(PlanError) { return try CompiledPlan(plan) } catch { throw CommandFailure(error) }
    }
}
