internal import ArgumentParser
internal import CommandSupport
internal import Foundation

/// How lines are checked against a plan.
struct ScanOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The folder with container/ and events/; with events/ alone it is added to the SDK's own schemas \
            (default: Schemas).
            """, valueName: "folder"))
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

    /// The plan to check against.
    ///
    /// - Throws: ``CommandFailure``: `noInput`, `inputOutput`, `dataAtFault`.
    func plan() throws -> ScanPlan {
        if let schemas { return try ScanPlan(folder: schemas) }
        do {
            return try ScanPlan(folder: Self.defaultFolder)
        } catch let failure as CommandFailure where failure.status == .noInput {
            throw CommandFailure(
                .noInput, "there is no folder \(Self.defaultFolder) here: name the folder with events/ by --schemas")
        }
    }

    private static let defaultFolder = "Schemas"
}
